/** The four servers that can run as children of this process. */
export const serverNames = ['postgres', 'temporal', 'meilisearch', 'qdrant'] as const;
export type ServerName = (typeof serverNames)[number];

/** The service's own processes, run beside the servers. */
export type ServiceName = 'api' | 'worker';
export type ChildName = ServerName | ServiceName;

/** Takes one line of progress for the person at the terminal. */
export type Say = (line: string) => void;

/** The environment as the caller hands it in; nothing here reads `process.env` itself. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;
