import { request } from 'node:http';

export type Fields = Readonly<Record<string, string>>;

export interface Request {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export const formType = 'application/x-www-form-urlencoded';
/** Bytes of a field that get past the parser of forms, beside the other fields. */
export const formRoom = 7_000;

let asked = 0;
/** How many requests were sent: each delivery has a name of its own by it. */
export const askedSoFar = (): number => asked;
/**
 * Sends it and reads the answer. Each comes from an address of its own on this machine, for wrong links and passwords are
 * counted by client. Refused while it was still sent (431, 413) is an answer; one of 500 is an error.
 */
export function send(url: string, { method, path, headers = {}, body }: Request): Promise<number> {
  const { hostname, port } = new URL(url);
  asked += 1;
  const localAddress = `127.${1 + (asked % 200)}.${Math.floor(asked / 200) % 250}.9`;
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path, headers: { connection: 'close', ...headers }, localAddress },
      (answer) => {
        const { statusCode: status = 0 } = answer;
        answer.resume().on('error', () => resolve(status));
        answer.on('end', () =>
          status >= 500 && answer.headers['retry-after'] === undefined
            ? reject(new Error(`${method} ${path.slice(0, 200)} was answered with ${status}.`))
            : resolve(status),
        );
      },
    );
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}

/** The beginning of a text that takes so many bytes once it is encoded. */
export function fitting(text: string, bytes: number, encoded: (text: string) => string): string {
  let part = text.slice(0, bytes);
  for (let length = encoded(part).length; length > bytes; length = encoded(part).length)
    part = part.slice(0, Math.floor((part.length * bytes) / length) - 1);
  return part;
}
export const asForm = (text: string): string => new URLSearchParams({ '': text }).toString();
export const asPath = (text: string): string => encodeURIComponent(text.toWellFormed());

export interface Form {
  action: string;
  isGet: boolean;
  fields: Fields;
}

/** Every form of a page, with what its fields hold. */
export function formsOf(page: string, path: string): Form[] {
  const attribute = (text: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1];
  return [...page.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, head = '', inside = '']) => ({
    action: attribute(head, 'action') ?? path,
    isGet: attribute(head, 'method') !== 'post',
    fields: Object.fromEntries(
      [...inside.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)].flatMap(([tag]) => {
        const name = attribute(tag, 'name');
        return name === undefined ? [] : [[name, attribute(tag, 'value') ?? '']];
      }),
    ),
  }));
}
