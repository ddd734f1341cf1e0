import { Validator } from '@seriousme/openapi-schema-validator';
import type { Role } from '../../src/domain/settings.ts';
import { panelActions, panelPages, panelPath } from '../../src/web/panel/endpoint.ts';
import { factorPaths } from '../../src/web/panel/second-factor/words.ts';
import type { HttpOperation } from './http-operations.ts';
import { httpOperations } from './http-operations.ts';
import { madeFrom, table } from './markdown.ts';

const entry: readonly HttpOperation[] = [
  panel('get', '/entrar', 'The sign-in', { 200: 'The form.', 303: 'Signed in already.' }),
  panel('post', '/entrar', 'Signs in', {
    303: 'Signed in, with a cookie; where a code is owed, to its page.',
    401: 'A wrong user or password.',
    403: 'Not sent by a page of ours.',
    429: 'Too many wrong passwords from this client, or on this browser; `Retry-After` says when.',
  }),
  panel('get', factorPaths.code, 'The code after the password', {
    200: 'The form.',
    303: 'To the sign-in, to the enrolment, or on where no code is owed.',
  }),
  panel('post', factorPaths.code, 'Signs in with a code of the app, or a recovery code', {
    303: 'Signed in, with a cookie; or to the sign-in.',
    401: 'A wrong code, or one that was used.',
    403: 'Not sent by a page of ours.',
    429: 'Too many wrong codes; `Retry-After` says when.',
  }),
  panel('get', factorPaths.own, 'One’s own second factor: enrolment, and how it stands', {
    200: 'The page.',
    303: 'To the sign-in, or to the code.',
  }),
  panel('post', factorPaths.own, 'Enrols a second factor', {
    200: 'The recovery codes, once.',
    303: 'To the sign-in, or enrolled already.',
    403: 'Not sent by a page of ours.',
    422: 'The code does not match.',
  }),
  panel('post', factorPaths.codes, 'New recovery codes', {
    200: 'They, once.',
    303: 'To the sign-in, or nothing is enrolled.',
    401: 'A wrong code, or one that was used.',
    403: 'Not sent by a page of ours.',
    429: 'Too many wrong codes; `Retry-After` says when.',
  }),
  panel('post', '/salir', 'Signs out', { 303: 'To the sign-in.', 403: 'Not sent by a page of ours.' }),
];

/** Everything the endpoints answer: what is described beside them, and the panel's pages, which describe themselves. */
export const allOperations: readonly HttpOperation[] = [
  ...httpOperations,
  ...entry,
  ...panelPages.map(({ path, role, nav }) => ofPage('get', path, role, nav?.label ?? 'A page')),
  ...panelActions.map(({ path, role }) => ofPage('post', path, role, 'What a form of the panel sends')),
];

function ofPage(method: 'get' | 'post', path: string, role: Role, summary: string): HttpOperation {
  return {
    ...panel(method, path, summary, {
      ...(method === 'get' ? { 200: 'The page.' } : {}),
      303:
        method === 'get'
          ? 'To the sign-in.'
          : 'Back to the page, which says what came of it; or to the sign-in.',
      403:
        method === 'get'
          ? 'The role is not enough.'
          : 'The role is not enough, or not sent by a page of ours.',
    }),
    says: `For people with the role \`${role}\` or a higher one.`,
    access: 'session',
  };
}

function panel(
  method: 'get' | 'post',
  path: string,
  summary: string,
  answers: Record<number, string>,
): HttpOperation {
  return {
    method,
    path: `${panelPath}${path}`,
    tag: 'Panel',
    summary,
    access: 'none',
    internal: true,
    answers: Object.fromEntries(
      Object.entries(answers).map(([status, says]) => [
        status,
        status.startsWith('3') ? { says } : { says, type: 'text/html' },
      ]),
    ),
  };
}

/** What is wrong with an OpenAPI description; nothing when it is right. */
export async function wrongWith(description: Record<string, unknown>): Promise<unknown> {
  const { valid, errors } = await new Validator().validate(description);
  return valid ? [] : errors;
}

const intro = `# HTTP

What a running \`start\` answers. [openapi.json](openapi.json) says the same for programs (OpenAPI 3.1).

Put a proxy with HTTPS before it; everything but \`/metrics\` is meant for the world. What the
command line asks of it takes another way ([operations.md](operations.md#the-admin-channel)).
Refusals are \`{ "error": "…", "message": "…" }\`, a word for programs and a Spanish sentence, except on pages. An endpoint
that takes bodies refuses longer ones with 413, and any with 503 while the bodies being read fill the memory set
aside for them (operations.md). What is marked *internal* changes with any version.`;

const access: Readonly<Record<HttpOperation['access'], string>> = {
  none: 'everybody',
  signature: 'signed',
  link: 'signed link',
  ticket: 'ticket',
  bearer: 'bearer',
  session: 'session',
};

/** docs/http.md. */
export function httpReference(): string {
  const tags = [...new Set(allOperations.map(({ tag }) => tag))];
  const sections = tags.map((tag) => {
    const mine = allOperations.filter((one) => one.tag === tag);
    return `## ${tag}\n\n${table(['Address', 'For', 'What', 'Answers'], mine.map(row))}`;
  });
  return `${[madeFrom('`test/docs/http-operations.ts` and the pages of the panel'), intro, ...sections].join('\n\n')}\n`;
}

function row({
  method,
  path,
  access: by,
  summary,
  says,
  answers,
  internal,
  query = {},
}: HttpOperation): string[] {
  const reported = Object.entries(answers).map(([status, answer]) => `${status}: ${answer.says}`);
  const asked = Object.entries(query).map(([name, text]) => `\`?${name}=\` ${text}`);
  return [
    `\`${method.toUpperCase()} ${path}\``,
    `${access[by]}${internal ? ', *internal*' : ''}`,
    [`${summary}.`, says ?? '', ...asked].join(' '),
    reported.join(' '),
  ];
}
