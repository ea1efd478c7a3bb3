/** The client of a remote role, by the provider that was named for it. */
import type { RemoteRoleConfig } from '../../domain/models/role-config.ts';
import { createAnthropicProvider } from './anthropic.ts';
import { createOpenAiCompatibleProvider } from './openai-compatible.ts';
import type { RemoteProvider } from './provider.ts';

/** Makes a client; sends nothing. */
export function createRemoteProvider(config: RemoteRoleConfig): RemoteProvider {
  return config.provider === 'anthropic'
    ? createAnthropicProvider(config)
    : createOpenAiCompatibleProvider(config);
}
