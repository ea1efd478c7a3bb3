/** The `source_filters` of a search: all given ones must hold. */

export interface SourceFilters {
  /** The extractor's provider and model. */
  readonly provider: string | null;
  readonly model: string | null;
  readonly pipelineVersion: string | null;
  readonly minimumCorroboration: number | null;
  /** Only statements that this message is a source of. */
  readonly sourceMessageId: string | null;
  /**
   * The statements that `sourceMessageId` is a source of, read from Postgres before the indexes are asked, because
   * indexes know no sources. Empty without a `sourceMessageId`.
   */
  readonly sourceStatementIds: readonly string[];
  /** Only chunks of this document, and no statement. The other filters are for statements, and no chunk passes them. */
  readonly sourceDocumentId: string | null;
}

export const NO_SOURCE_FILTERS: SourceFilters = {
  provider: null,
  model: null,
  pipelineVersion: null,
  minimumCorroboration: null,
  sourceMessageId: null,
  sourceStatementIds: [],
  sourceDocumentId: null,
};

/** Values that no filter compares need not be known. */
export interface FilterableStatement {
  readonly extractingProvider?: string | undefined;
  readonly extractingModel?: string | null | undefined;
  readonly pipelineVersion?: string | undefined;
  readonly corroborationCount?: number | undefined;
  /** Every source, readable or not. */
  readonly hasSourceMessage: boolean;
}

/** Whether one of the filters compares a value of statements. */
export function comparesValues({
  minimumCorroboration,
  model,
  pipelineVersion,
  provider,
}: SourceFilters): boolean {
  return [minimumCorroboration, model, pipelineVersion, provider].some((one) => one !== null);
}

/** Whether a statement passes; one without a value that is compared does not. `hasSourceMessage` answers for `filters.sourceMessageId`. */
export function passesSourceFilters(
  filters: SourceFilters,
  statement: FilterableStatement,
): boolean {
  return (
    filters.sourceDocumentId === null &&
    (filters.provider === null || filters.provider === statement.extractingProvider) &&
    (filters.model === null || filters.model === statement.extractingModel) &&
    (filters.pipelineVersion === null || filters.pipelineVersion === statement.pipelineVersion) &&
    (filters.minimumCorroboration === null ||
      (statement.corroborationCount !== undefined &&
        statement.corroborationCount >= filters.minimumCorroboration)) &&
    (filters.sourceMessageId === null || statement.hasSourceMessage)
  );
}
