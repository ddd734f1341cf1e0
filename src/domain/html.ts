import { encode } from 'html-entities';

/** Markup whose text is escaped already. Only `html` makes it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes; null, undefined and false write nothing. */
export type Piece = Html | string | number | null | undefined | false | readonly Piece[];

/** Markup from a template: whatever is not markup itself is escaped, for text and for quoted attributes alike. */
export function html(texts: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(texts.map((text, at) => text + written(pieces[at])).join(''));
}

function written(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  return typeof piece === 'object' ? piece.map(written).join('') : encode(String(piece));
}
