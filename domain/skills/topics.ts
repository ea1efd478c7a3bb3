/** Whether a statement is about a topic, by the stems of both. */

/**
 * @param stems of the statement
 * @param topics each the stems of one alternative; none asks nothing
 */
export function speaksOf(
  stems: ReadonlySet<string>,
  topics: readonly (readonly string[])[],
): boolean {
  return topics.length === 0 || topics.some((topic) => topic.every((stem) => stems.has(stem)));
}
