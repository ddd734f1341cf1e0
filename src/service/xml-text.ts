import { decode } from 'html-entities';

/** One element with text: its path ("factura/infoTributaria/ruc"), its attributes, its own text. */
export interface XmlLeaf {
  path: string;
  attributes: ReadonlyMap<string, string>;
  text: string;
}

/** XML that is not well formed; the sentence quotes none of it. */
export class XmlError extends Error {}

/** Documents have some eight levels, and the authority's wrapper four more. */
const deepest = 50;

// In this order: comment, CDATA, processing instruction, declaration, tag, text. No alternative overlaps
// another, so a hostile document costs one pass.
const token =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE[^[\]>]*>|<(\/?)([\w:.-]{1,100})(?![\w:.-])((?:"[^"]*"|'[^']*'|[^'"<>])*)>|([^<]+)/y;
const attribute = /(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Reads every element that holds text, in the order of their ends; namespaces' prefixes are left out. Enough
 * for the few elements of an authorised document that we compare; no validation.
 */
export function readXmlLeaves(xml: string): XmlLeaf[] {
  const leaves: XmlLeaf[] = [];
  const open: { name: string; attributes: string; text: string }[] = [];
  for (let at = xml.startsWith('\uFEFF') ? 1 : 0; at < xml.length; at = token.lastIndex) {
    token.lastIndex = at;
    const found = token.exec(xml);
    if (!found) throw new XmlError(`The XML cannot be read from character ${at} on.`);
    const [, cdata, slash, tag, rest = '', text] = found;
    const current = open.at(-1);
    if (current) current.text += cdata ?? (text === undefined ? '' : decode(text, { level: 'xml' }));
    if (tag === undefined) continue;
    const name = tag.slice(tag.indexOf(':') + 1);
    if (slash) {
      if (current?.name !== name) throw new XmlError(`The XML closes an element that is not open at ${at}.`);
      leaves.push({
        path: open.map((one) => one.name).join('/'),
        attributes: readAttributes(current.attributes),
        text: current.text.trim(),
      });
      open.pop();
    } else if (!rest.endsWith('/')) {
      if (open.length >= deepest) throw new XmlError(`The XML has more than ${deepest} levels at ${at}.`);
      open.push({ name, attributes: rest, text: '' });
    }
  }
  if (open.length > 0) throw new XmlError('The XML ends before its elements do.');
  return leaves;
}

function readAttributes(text: string): Map<string, string> {
  const read = new Map<string, string>();
  for (const [, name = '', double, single] of text.matchAll(attribute)) {
    read.set(name, decode(double ?? single ?? '', { level: 'xml' }));
  }
  return read;
}
