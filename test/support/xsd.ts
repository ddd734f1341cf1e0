import { readFileSync } from 'node:fs';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';
import { sharedPath } from './shared.ts';

// The official schemas import the one of signatures, which lies beside them.
xmlRegisterFsInputProviders();

/** A validator points into the document of its schema, which is freed with whoever holds it last: so both are kept. */
const opened = new Map<string, { schema: XmlDocument; validator: XsdValidator }>();

/** Reads a schema of `../shared/data/sri/xsd` once; the answer throws on a document the schema refuses. */
export function openXsd(name: string): (xml: string) => void {
  const { validator } = opened.get(name) ?? read(name);
  return (xml) => {
    const document = XmlDocument.fromString(xml);
    try {
      validator.validate(document);
    } finally {
      document.dispose();
    }
  };
}

function read(name: string) {
  const path = sharedPath(`data/sri/xsd/${name}`);
  const schema = XmlDocument.fromBuffer(readFileSync(path), { url: path });
  const both = { schema, validator: XsdValidator.fromDoc(schema) };
  opened.set(name, both);
  return both;
}
