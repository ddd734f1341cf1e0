/** An XML element: name, attributes, and text or children. Empty children are left out of the document. */
export interface XmlElement {
  name: string;
  attributes?: Record<string, string>;
  content: string | XmlElement[];
}

/** An element with text; undefined or empty text means "not in the document". */
export function leaf(
  name: string,
  text: string | undefined,
  attributes?: Record<string, string>,
): XmlElement[] {
  if (text === undefined || text === '') return [];
  return [attributes ? { name, attributes, content: text } : { name, content: text }];
}

/** An element around others, in the order given. */
export function branch(name: string, ...children: XmlElement[][]): XmlElement {
  return { name, content: children.flat() };
}

/** Like `branch`, but absent when it would be empty. */
export function optionalBranch(name: string, ...children: XmlElement[][]): XmlElement[] {
  const element = branch(name, ...children);
  return element.content.length === 0 ? [] : [element];
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

// '>' is escaped too, so that a document inside CDATA can never contain the closing "]]>".
const escapeText = (text: string) => text.replace(/[&<>\r]/g, (character) => entities[character] ?? '');
const escapeAttribute = (text: string) =>
  text
    .replace(/[&<>"\r]/g, (character) => entities[character] ?? '')
    .replace(/[\n\t]/g, (c) => `&#${c.charCodeAt(0)};`);

/** Writes an element without white space between elements, as signed documents are. */
export function writeXml(element: XmlElement): string {
  const attributes = Object.entries(element.attributes ?? {})
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
    .join('');
  const content =
    typeof element.content === 'string'
      ? escapeText(element.content)
      : element.content.map(writeXml).join('');
  return content === ''
    ? `<${element.name}${attributes}/>`
    : `<${element.name}${attributes}>${content}</${element.name}>`;
}

/** The declaration every document of the authority starts with. */
export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>';
