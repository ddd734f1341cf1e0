/** Without data a text speaks of the general case (docs/errors.md). */
export type Text = string | ((params: never) => string);

/** Spanish, for merchants and readers of the log. `prevent`: where that is something else than to fix one. */
export type Message = readonly [means: Text, fix: Text, prevent?: string];

export interface Group {
  title: string;
  seen: string;
  entries: Readonly<Record<string, Message>>;
}

/** The log shows them: no keys, bodies or buyers' data. */
export type Params = Readonly<Record<string, unknown>>;

export type TakenBy<T> = T extends (params: infer P) => string ? Required<P> : unknown;

export type ParamsOf<M extends Message> = TakenBy<M[0]> & TakenBy<M[1]>;

export type Texts<Names extends string> = Readonly<Record<Names, string>>;

/** Whatever begins with this word asks for no action. */
export const goesOn = 'Nada: sigue solo.';
export const final = 'Nada.';

export const say = (text: Text, params: Params = {}): string =>
  typeof text === 'string' ? text : text(params as never);

export function sentenceOf([means, fix]: Message, params: Params = {}): string {
  const what = say(means, params);
  const todo = say(fix, params);
  if (todo === '' || todo.startsWith('Nada')) return what;
  return `${what}${what === '' || what.endsWith('\n') ? '' : ' '}${todo}`;
}

type Case = Text | Message;
type CaseOf<C extends Case> = C extends Message ? ParamsOf<C> : TakenBy<C>;
type Cases<C extends Readonly<Record<string, Case>>> = {
  [Why in keyof C & string]: { why: Why } & CaseOf<C[Why]>;
}[keyof C & string];
type InCase<C extends Readonly<Record<string, Case>>> = (params: Cases<C>) => string;

/** One text per `why`. `general`: without data, and the fix of cases that have none. */
export function byWhy<const C extends Readonly<Record<string, Case>>>(
  general: readonly [means: string, fix: Text, prevent?: string],
  cases: C,
): readonly [means: InCase<C>, fix: InCase<C>, prevent?: string] {
  const text = (at: 0 | 1) => (params: Params) => {
    const { why } = params;
    const own = typeof why === 'string' ? cases[why] : undefined;
    if (own === undefined) return say(general[at], params);
    return typeof own === 'object' ? say(own[at], params) : say(at === 0 ? own : general[1], params);
  };
  const [, , ...prevent] = general;
  return [text(0) as InCase<C>, text(1) as InCase<C>, ...prevent];
}

export const quoted = (name: string | undefined, otherwise: string): string =>
  name === undefined ? otherwise : `«${name}»`;

export const many = (those: readonly unknown[], one: string, several: string): string =>
  those.length === 1 ? one : several;

export const quotedAll = (names: readonly string[]): string => names.map((name) => `«${name}»`).join(', ');

export const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

const network: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no acepta conexiones',
  ECONNRESET: 'corta la conexión',
  EAI_AGAIN: 'su dominio no responde',
  ENOTFOUND: 'su dominio no existe',
  ETIMEDOUT: 'tarda demasiado',
  TimeoutError: 'tarda demasiado',
  UND_ERR_CONNECT_TIMEOUT: 'tarda demasiado',
  UND_ERR_HEADERS_TIMEOUT: 'tarda demasiado',
  EAUTH: 'no acepta el usuario o la contraseña',
};

export const inNetwork = (code: string): string => {
  const words = network[code.split(' ')[0] ?? ''];
  return words === undefined ? code : `${words}: ${code}`;
};

export type Kind = 'factura' | 'nota-credito';

export const named = (kind: Kind): string => (kind === 'factura' ? 'la factura' : 'la nota de crédito');

const formsBy =
  <K extends string>(key: K) =>
  <F extends Readonly<Record<string, (params: never) => string>>>(general: string, texts: F) => {
    type Data<W extends keyof F> = Parameters<F[W]> extends [infer P] ? P : unknown;
    type Case = { [W in keyof F]: Record<K, W> & Data<W> }[keyof F];
    return (params: Partial<Case>): string => {
      const { [key]: form, ...rest } = params as Partial<Record<K, keyof F>>;
      return (form === undefined ? undefined : texts[form])?.(rest as never) ?? general;
    };
  };

export const forms = formsBy('why');

export const formsOf = formsBy('of');
