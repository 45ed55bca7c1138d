/** What the server says when it refuses, as an error that can be thrown and shown. */

interface ProblemBody {
  status: number;
  code: string;
  message: string;
  retryable: boolean;
  hint: string;
  errors?: { field?: string; message: string }[];
}

export class Problem extends Error {
  readonly status: number;
  /** Stable slug; `offline` when the server could not be reached at all. */
  readonly code: string;
  readonly retryable: boolean;
  readonly hint: string;
  readonly errors: { field?: string; message: string }[];

  constructor(body: ProblemBody) {
    super(body.message);
    this.name = 'Problem';
    this.status = body.status;
    this.code = body.code;
    this.retryable = body.retryable;
    this.hint = body.hint;
    this.errors = body.errors ?? [];
  }
}

/** The problem behind anything that was thrown. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Problem({ status: 0, code: 'unexpected', message, retryable: false, hint: '' });
}

export function offline(): Problem {
  return new Problem({
    status: 0,
    code: 'offline',
    message: 'The server cannot be reached.',
    retryable: true,
    hint: '',
  });
}

/** Reads a refused response; a body that is not a problem document still becomes one. */
export async function readProblem(response: Response): Promise<Problem> {
  let body: Partial<ProblemBody> = {};
  try {
    body = (await response.json()) as Partial<ProblemBody>;
  } catch {
    // a proxy's HTML page, or nothing
  }
  return new Problem({
    status: response.status,
    code: body.code ?? `http_${response.status}`,
    message: body.message ?? `The server answered ${response.status}.`,
    retryable: body.retryable ?? response.status >= 500,
    hint: body.hint ?? '',
    ...(body.errors === undefined ? {} : { errors: body.errors }),
  });
}
