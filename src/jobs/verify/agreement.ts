import { decode } from 'html-entities';
import { decimal } from '../../domain/money.ts';

/** How one value of the XML is held against what was sent: by its meaning, not by how it is written. */
export type Same = (read: string | null, sent: string | number) => boolean;

/** Notes a field whose value differs; what was not sent may not be there. */
export type Hold = (
  field: string,
  read: string | null,
  sent: string | number | undefined,
  same?: Same,
) => void;

/** "10.0" is "10.00" is 10; anything that is no number is another value. */
export const sameFigure: Same = (read, sent) => isFigure(read) && decimal(read).eq(decimal(sent));

export const isFigure = (read: string | null): read is string =>
  read !== null && /^-?\d+(\.\d+)?$/.test(read);

/** White space, entities written twice and composed letters apart, the texts are one. */
export const sameText: Same = (read, sent) => read !== null && plain(read) === plain(String(sent));

/** A shorter text than this is no cut description but another one. */
const shortestCut = 20;

/** The same text, or its beginning where it was cut (assumption A30). */
export const sameStart: Same = (read, sent) => {
  if (read === null || sameText(read, sent)) return read !== null;
  const start = plain(read);
  return [...start].length >= shortestCut && plain(String(sent)).startsWith(start);
};

/** "2026/11/20", as it is sent, is "20/11/2026" in the XML. */
export const sameDate: Same = (read, sent) => read?.split('/').reverse().join('/') === sent;

/** The codes of documents and forms of payment have two digits in the XML. */
export const sameCode: Same = (read, sent) => read !== null && /^\d+$/.test(read) && Number(read) === sent;

/** "01" is 1: the code of the type of a document. */
export const sameType: Same = (read, sent) =>
  read !== null && /^\d{2}$/.test(read) && /^\d{1,2}$/.test(String(sent)) && Number(read) === Number(sent);

/** "001-001-000000123" is 001001000000123. */
export const sameNumber: Same = (read, sent) =>
  read !== null && read.replaceAll('-', '') === String(sent).replaceAll('-', '');

function plain(text: string): string {
  return decode(text, { level: 'xml' }).normalize('NFC').replace(/\s+/g, ' ').trim();
}
