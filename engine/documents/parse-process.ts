/** The process that one document is parsed in. It answers chunks or the class of its failure, and ends. */
import process from 'node:process';
import { DocumentFailure } from './failure.ts';
import { parseDocument } from './parse.ts';
import type { ParseAnswer, ParseQuestion } from './parse-apart.ts';

async function answer({ bytes, mediaType }: ParseQuestion): Promise<ParseAnswer> {
  try {
    return { chunks: await parseDocument(bytes, mediaType) };
  } catch (error) {
    // The message of a parser's error quotes the document, so only a class leaves the process.
    return {
      errorClass:
        error instanceof DocumentFailure ? error.errorClass : 'structured_validation_failed',
    };
  }
}

// The process that asked has ended or closed the channel: it needs no answer.
process.once('disconnect', () => process.exit());
process.once('message', (question: ParseQuestion) => {
  void answer(question).then((said) => process.send?.(said, () => process.disconnect()));
});
