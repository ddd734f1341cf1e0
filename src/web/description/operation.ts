/** One thing the doors answer, as docs/openapi.json and docs/http.md tell it; a test holds it against the app. */
export interface HttpOperation {
  method: 'get' | 'post';
  /** As express writes paths: `/webhooks/:connection`. */
  path: string;
  tag: HttpTag;
  summary: string;
  /** More than a line, where it needs saying. */
  says?: string;
  access: HttpAccess;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  takes?: Body;
  answers: Readonly<Record<number, Answer>>;
  /** Not for programs of others: changes with any version. */
  internal?: boolean;
  /** The path of the handler that answers it, where that is another one. */
  within?: string;
}

export type HttpTag = 'Shops' | 'Service' | 'Buyers' | 'Watching' | 'Panel' | 'Assistants';

/** How a caller shows that he may. */
export type HttpAccess = 'none' | 'signature' | 'link' | 'ticket' | 'bearer' | 'session';

export interface Body {
  type: string;
  says: string;
  /** Names of fields of a form, and what they hold. */
  fields?: Readonly<Record<string, string>>;
}

/** What one status means; JSON shapes are few and named in document.ts. */
export interface Answer {
  says: string;
  type?: string;
  shape?: 'Accepted' | 'Refusal' | 'Readiness' | 'Alive' | 'Free';
}

const json = (says: string, shape: Answer['shape']): Answer => ({
  says,
  type: 'application/json',
  ...(shape && { shape }),
});

export const accepted = (says: string): Answer => json(says, 'Accepted');
export const refusal = (says: string): Answer => json(says, 'Refusal');
export const free = (says: string): Answer => json(says, 'Free');
export const aliveAnswer = (says: string): Answer => json(says, 'Alive');
export const readiness = (says: string): Answer => json(says, 'Readiness');
export const page = (says: string): Answer => ({ says, type: 'text/html' });
export const onward = (says: string): Answer => ({ says });
