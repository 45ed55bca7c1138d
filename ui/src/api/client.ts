/** One way to the server: same-origin cookie, CSRF header on everything that changes something. */
import { offline, readProblem } from './problem';

export type QueryValue = string | number | boolean | null | undefined;

let csrf = '';

/** Called with what GET /api/me says. */
export function setCsrf(value: string): void {
  csrf = value;
}

/** `/api/offices/acme/…`, every part escaped. */
export function officePath(office: string, ...parts: (string | number)[]): string {
  return `/api/offices/${[office, ...parts].map((part) => encodeURIComponent(part)).join('/')}`;
}

export function withQuery(path: string, query: Record<string, QueryValue>): string {
  const pairs = Object.entries(query).filter(([, value]) => value != null && value !== '');
  if (pairs.length === 0) return path;
  return `${path}?${new URLSearchParams(pairs.map(([key, value]) => [key, String(value)]))}`;
}

interface Options {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  query?: Record<string, QueryValue>;
  body?: unknown;
  signal?: AbortSignal;
}

/** Half a character, as cut text may end with, is no JSON; a mark stands in its place. */
const wellFormed = (_key: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : value;

async function send(path: string, options: Options): Promise<Response> {
  const method = options.method ?? 'GET';
  const headers: Record<string, string> = {};
  if (method !== 'GET') headers['X-CSRF-Token'] = csrf;
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  const response = await fetch(withQuery(path, options.query ?? {}), {
    method,
    headers,
    credentials: 'same-origin',
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body, wellFormed) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  }).catch((error: unknown) => {
    throw error instanceof DOMException && error.name === 'AbortError' ? error : offline();
  });
  if (!response.ok) throw await readProblem(response);
  return response;
}

/**
 * Asks the server and returns its JSON.
 *
 * @throws Problem when it refuses or cannot be reached.
 */
export async function request<T>(path: string, options: Options = {}): Promise<T> {
  const response = await send(path, options);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** The raw text of an answer, for files and recorded requests. */
export async function requestText(path: string, options: Options = {}): Promise<string> {
  return (await send(path, options)).text();
}
