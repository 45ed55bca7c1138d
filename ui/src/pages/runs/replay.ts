/** Commands that show or repeat a request outside the browser. They never hold a key. */

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Prints the whole run as JSON. */
export const showCommand = (office: string, run: string): string =>
  `dayshift show run ${run} --office ${office} --json`;

/** Where a dialect takes its requests, below the provider's address. */
const ENDPOINTS: Record<string, { path: string; header: (env: string) => string }> = {
  openai: {
    path: '/chat/completions',
    header: (env) => (env ? `-H "Authorization: Bearer $${env}" ` : ''),
  },
  anthropic: {
    path: '/messages',
    header: (env) => `-H "x-api-key: $${env}" -H 'anthropic-version: 2023-06-01' `,
  },
};

export interface Endpoint {
  dialect: string;
  base_url: string;
  /** The variable that holds the key. */
  key_env: string;
}

/** The same request by curl; null when the provider is not asked over HTTP. */
export function curlCommand(endpoint: Endpoint | undefined, body: string): string | null {
  const kind = ENDPOINTS[endpoint?.dialect ?? ''];
  if (endpoint === undefined || kind === undefined || endpoint.base_url === '') return null;
  const address = endpoint.base_url.replace(/\/+$/, '') + kind.path;
  return `curl -sS ${quoted(address)} ${kind.header(endpoint.key_env)}-H 'Content-Type: application/json' --data-binary ${quoted(body)}`;
}
