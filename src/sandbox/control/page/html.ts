import { encode } from 'html-entities';

/** Markup whose text is already escaped. Only `html` makes it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template; nothing is written for null, undefined and false. */
export type Value = Html | string | number | null | undefined | false | readonly Value[];

/** Writes markup; every value that is not markup itself is escaped, for text and for quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.map((part, index) => part + write(values[index])).join(''));
}

function write(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(write).join('');
  return encode(String(value));
}
