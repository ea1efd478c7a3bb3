/**
 * Secrets of a document are masked while its text is whole: a chunk can end in the middle of a key, and no rule
 * would recognise the second half. The bytes that were uploaded stay as they came.
 */
import { MASK } from '../secrets/mask-word.ts';
import { maskSecrets } from '../secrets/mask.ts';
import { BLOCK_GLUE, sectionsOf, type Block } from './block.ts';

/** The blocks with every recognised secret masked, also one that reaches over several of a section. */
export async function maskBlocks(blocks: readonly Block[]): Promise<readonly Block[]> {
  const sections = sectionsOf(blocks);
  const texts = await maskSecrets(sections.map((section) => section.texts.join(BLOCK_GLUE)));
  return sections.flatMap(({ headings }, index) =>
    (texts[index] ?? MASK).split(BLOCK_GLUE).map((text): Block => ({ headings, text })),
  );
}
