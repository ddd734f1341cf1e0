import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { wrongSums } from '../sandbox/independent-sums.ts';
import type { ProvableDocument } from './documents.ts';
import type { Reported } from './timeline.ts';

/** Written by a person; everything else in a case's folder is recorded. */
const written = ['README.md', 'platform.json', 'refunds.json', 'policy.json', 'issuer.json', 'today.json'];

/** The official schema of each kind of document, as something that throws. */
export type Schemas = Record<ProvableDocument['kind'], (xml: string) => void>;

/**
 * Throws unless the sandbox has nothing against the document, the official schema takes it, its figures add up
 * by the independent sums, and its total is the money that moved. Without a schema at hand that part is not asked.
 */
export function verify(document: ProvableDocument, schemas: Schemas | null): void {
  const { kind, xml, complaints, charged, difference, statedTax } = document;
  if (complaints.length > 0) throw new Error(`The sandbox refuses it: ${complaints.join('; ')}`);
  schemas?.[kind](xml);
  const wrong = wrongSums(xml, statedTax ? 1n : 0n);
  if (wrong.length > 0) throw new Error(`It does not add up: ${wrong.join('; ')}`);
  const total = totals[kind].exec(xml)?.[1];
  if (total !== charged || difference !== '0.00') {
    throw new Error(`It adds up to ${total}, ${charged} moved; the plan says ${difference} apart.`);
  }
}

const totals = {
  factura: /<importeTotal>(.*)<\/importeTotal>/,
  'nota-credito': /<valorModificacion>(.*)<\/valorModificacion>/,
};

/** Writes what became of a case, once it is proven; needs the schema, for unproven records prove nothing. */
export function record(folder: string, { files, documents }: Reported, schemas: Schemas | null): void {
  if (schemas === null)
    throw new Error('Golden cases are recorded only beside ../shared/data, with the XSD.');
  for (const document of documents) verify(document, schemas);
  for (const [name, text] of files) writeFileSync(`${folder}/${name}`, text);
  for (const name of readdirSync(folder)) {
    if (!written.includes(name) && !files.has(name)) rmSync(`${folder}/${name}`);
  }
}

/** What is recorded: name → text, without what people wrote. */
export function recorded(folder: string): Map<string, string> {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => !written.includes(name)) : [];
  return new Map(names.sort().map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')]));
}
