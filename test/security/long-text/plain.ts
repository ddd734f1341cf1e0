import { readFileSync } from 'node:fs';
import { encode } from 'html-entities';
import type { FacturaBody } from '../../../mappers/body.ts';
import { Hold, oneLine } from '../../../mappers/hold.ts';
import { fits } from '../../../mappers/tax-rules.ts';
import { json as paintJson, xml as paintXml } from '../../../sandbox/emulator/control/page/highlight.ts';
import { masked } from '../../../src/assistant/tools.ts';
import {
  bareNumber,
  examine,
  foreignId,
  isProviderRuc,
  loneNumber,
  readIdType,
} from '../../../src/domain/identification.ts';
import { parseJson, readJson, readJsonHead } from '../../../src/domain/loose.ts';
import { html } from '../../../src/domain/text.ts';
import { compareAuthorized } from '../../../src/jobs/verify-document.ts';
import { alertLetter } from '../../../src/observability/notify/open.ts';
import { maskOrder } from '../../../src/operations/run/support-bundle.ts';
import { prettyJson, prettyXml } from '../../../src/panel/document.ts';
import { readAnswer, usable } from '../../../src/planner/identity/choice.ts';
import { excel, plain } from '../../../src/reports/export/tables.ts';
import { readAuthorizedXml } from '../../../src/service/authorized-xml.ts';
import { goldenFolder } from '../../golden/timeline.ts';
import { order } from '../../support/orders.ts';
import type { Reader } from './cost.ts';
import { placesIn, withValue } from './texts.ts';

const reader = (name: string, read: (text: string) => unknown, more: Partial<Reader> = {}): Reader => ({
  name,
  places: ['all of it'],
  prepare: (_place, text) => () => read(text),
  ...more,
});

/** What shops and buyers write is cut here, where it comes in; `orderReaders` and the pages try it. */
const longestField = 5_000;

function unlessNoJson(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** What reads a text by itself, whatever let it in. */
const whole: readonly Reader[] = [
  reader('the mask of assistants', (text) => masked({ text }, new Set())),
  reader('a reason to hold', (text) => [
    new Hold('held-by-rule', { item: text, rule: text, words: null }),
    new Hold('held-by-rule', { item: '', rule: '', words: text }),
  ]),
  reader('a line of a document', (text) => oneLine(text, 300), { keeps: 300 }),
  reader('a glob of tax rules', (text) => fits('*a*b*c*', text)),
  reader(
    'an identification',
    (text) => [examine(text), foreignId(text), loneNumber(text), readIdType(text), bareNumber(text)],
    { most: longestField },
  ),
  reader('a name', (text) => [usable(text), isProviderRuc(text)], { most: longestField }),
  reader('JSON', (text) => [
    unlessNoJson(() => parseJson(text)),
    unlessNoJson(() => readJson(`{"a":${text}}`)),
    readJsonHead(Buffer.from(text)),
  ]),
  reader('a JSON string', (text) => {
    const json = JSON.stringify({ text });
    return [parseJson(json), readJson(json), prettyJson(json)];
  }),
  reader('an XML of the service', (text) => [
    readAuthorizedXml(text),
    readAuthorizedXml(`<factura>${text}</factura>`),
    readAuthorizedXml(`<factura a="${text}"/>`),
    readAuthorizedXml(`<${text}/>`),
  ]),
  reader('an XML as people see it', (text) => [
    prettyXml(text),
    prettyXml(`<a><![CDATA[<b>${text}`),
    prettyJson(text),
  ]),
  reader('an XML the emulator paints', paintXml),
  reader('an attribute the emulator paints', (text) => paintXml(`<a b="${text}">`)),
  reader('a JSON string the emulator paints', (text) => paintJson({ text })),
  reader('a piece of a page', (text) => html`<p title="${text}">${text}</p>`),
  reader('a cell of a table', (text) =>
    [excel, plain].map((style) => [style.text(text), style.digits(text), style.amount(text)]),
  ),
  reader('a letter', (text) => {
    const alert = { code: text, subject: text, what: text, resolution: text, since: text };
    return alertLetter({ begun: [alert], still: [alert], ended: [alert] }, 'https://conector.example');
  }),
];

/** Of an order that was read; a document's fields are cut or refused before they get here. */
const known = order({ note: 'Gracias', attributes: [{ name: 'Regalo', value: 'sí' }] });
const ofOrder = placesIn(known.buyer);
const support: Reader = {
  name: 'the mask of support',
  places: [...ofOrder.keys()].filter((kind) => !kind.endsWith('{}')),
  most: longestField,
  prepare(kind, text) {
    const buyer = withValue(known.buyer, ofOrder.get(kind) ?? [], text) as typeof known.buyer;
    return () => maskOrder({ ...known, buyer });
  },
};

const given = { type: 'cedula' as const, id: '1710034065', name: 'Ana', email: 'ana@example.ec' };
const answer: Reader = {
  name: 'an answer of a buyer',
  places: ['id', 'name', 'email'],
  most: longestField,
  prepare: (place, text) => () =>
    (['cedula', 'pasaporte'] as const).map((type) => readAnswer({ ...given, type, [place]: text }, known)),
};

/** Elements and attributes of a factura and a nota de crédito as the authority hands them out. */
const documents = [
  'shopify-reembolso-con-cortesia/document.xml',
  'shopify-reembolso-con-cortesia/nota-credito-1.xml',
].map((file) => readFileSync(`${goldenFolder}/${file}`, 'utf8'));
const inXml = new Map(
  documents.flatMap((xml) =>
    [...xml.matchAll(/<([\w:]+)[^>]*>([^<>\s][^<>]*)<|(\w+)="[^"]*"/g)].flatMap((found) => {
      const [all, element, inside = '', attribute] = found;
      const name = element ?? `${attribute}=`;
      const at = found.index + all.length - 1;
      const around = [xml.slice(0, at - inside.length), xml.slice(at)] as const;
      return [
        [name, around],
        [`${name} (escaped)`, around],
      ] as const;
    }),
  ),
);
const sent = {
  codDoc: '01',
  accessKey: '1'.repeat(49),
  reference: { name: 'Referencia', value: 'x' },
  body: JSON.parse(
    readFileSync(`${goldenFolder}/shopify-reembolso-con-cortesia/body.json`, 'utf8'),
  ) as FacturaBody,
  total: '10.00',
};
const authorized: Reader = {
  name: 'an authorised XML, and what was sent',
  places: [...inXml.keys()],
  prepare(place, text) {
    const [before, after] = inXml.get(place) ?? ['', ''];
    const xml = `${before}${place.endsWith('(escaped)') ? encode(text, { level: 'xml' }) : text}${after}`;
    return () => {
      const read = readAuthorizedXml(xml);
      return [prettyXml(xml), read && compareAuthorized(sent, read)];
    };
  },
};

export const plainReaders: readonly Reader[] = [...whole, support, answer, authorized];
