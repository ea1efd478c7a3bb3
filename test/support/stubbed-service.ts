/** The whole service for one test file, with a stub for the provider of its models. */
import { startOwnService, type OwnService } from './service.ts';
import { startStubOpenAi, type StubOpenAi } from './stub-openai.ts';

export interface StubbedService {
  /** Closing it closes the stub too. */
  readonly service: OwnService;
  readonly stub: StubOpenAi;
}

function settingsOf({ baseUrl }: StubOpenAi, dimensions: number | undefined) {
  const extractor = {
    SERVICE_MODEL_INGEST_EXTRACTOR: 'openai-compatible:tiny',
    SERVICE_MODEL_INGEST_EXTRACTOR_BASE_URL: baseUrl,
  };
  if (dimensions === undefined) return extractor;
  return {
    ...extractor,
    SERVICE_MODEL_EMBEDDER: 'openai-compatible:tiny',
    SERVICE_MODEL_EMBEDDER_BASE_URL: baseUrl,
    SERVICE_MODEL_EMBEDDER_DIMENSIONS: String(dimensions),
  };
}

/**
 * Starts both. The stub extracts; with `dimensions`, the width of its vectors, it embeds as well. `settings` are
 * further environment variables.
 */
export async function startStubbedService({
  settings = {},
  dimensions,
}: {
  readonly settings?: Readonly<Record<string, string>>;
  readonly dimensions?: number;
} = {}): Promise<StubbedService> {
  const stub = await startStubOpenAi(dimensions === undefined ? {} : { dimensions });
  try {
    const service = await startOwnService({ ...settingsOf(stub, dimensions), ...settings });
    const close = async (): Promise<void> => {
      await service.close();
      await stub.close();
    };
    return { service: { ...service, close }, stub };
  } catch (error) {
    await stub.close();
    throw error;
  }
}
