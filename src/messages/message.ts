/** A sentence, or what makes one from the data of a case. Without data it speaks of the general case (docs/errors.md). */
export type Text = string | ((params: never) => string);

/** What a code means, and what to do: Spanish, for merchants and for readers of the log. */
export type Message = readonly [means: Text, fix: Text];

/** Codes of one origin. */
export interface Group {
  title: string;
  /** Where they appear, and for whom. */
  seen: string;
  entries: Readonly<Record<string, Message>>;
}

/** The data of a case, as the log shows it: no keys, bodies or buyers' data. */
export type Params = Readonly<Record<string, unknown>>;

/** What one text takes. */
export type TakenBy<T> = T extends (params: infer P) => string ? Required<P> : unknown;

/** What the texts of a message take. */
export type ParamsOf<M extends Message> = TakenBy<M[0]> & TakenBy<M[1]>;

/** For codes that need no action. */
export const goesOn = 'Nada: sigue solo.';
export const final = 'Nada.';

/** A text with the data of a case. */
export const say = (text: Text, params: Params = {}): string =>
  typeof text === 'string' ? text : text(params as never);

/** What happened, then what to do if there is anything. */
export function sentenceOf([means, fix]: Message, params: Params = {}): string {
  const todo = say(fix, params);
  return [say(means, params), ...(todo === goesOn || todo === final ? [] : [todo])].join(' ');
}

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

/** A text with several forms: `why` names the one, and the rest of the data is what that form takes. */
export const forms = formsBy('why');

/** As `forms`, where `of` names what it is about. */
export const formsOf = formsBy('of');
