import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { structureFaults } from '../../sandbox/emulator/authority/structure.ts';
import { writeDocument } from '../../sandbox/emulator/authority/xml/document.ts';
import type { WrittenDocument } from '../../sandbox/emulator/emission/documents.ts';
import { draws } from '../support/chance.ts';
import { hasShared } from '../support/shared.ts';
import { openXsd } from '../support/xsd.ts';
import { facturaBodies, notaCreditoBodies, spoilt } from './generated-bodies.ts';
import { guiaRemisionBodies, retencionBodies } from './generated-guia-retencion.ts';
import { wrongSums } from './independent-sums.ts';
import { refusalOf, written } from './stored.ts';
import { start } from './support.ts';

const isStated = (body: Record<string, unknown>) =>
  /precio_total_sin|base_imponible|valor_ice/.test(JSON.stringify(body));

/** What the generated bodies must bring about often, so that validity says something. */
const shapes = [
  ...['<codigo>3</codigo>', '<codigo>5</codigo>', '<agenteRetencion>', '<contribuyenteRimpe>'],
  ...['<detAdicional', '<contribuyenteEspecial>', '&amp;', '🌿', '<codigoPorcentaje>8</codigoPorcentaje>'],
];
const ofVersion = (version: string) => retencionBodies.map((body) => ({ ...body, version }));

describe.skipIf(!hasShared).each([
  { name: 'factura_V1.1.0.xsd', tipo: '01', bodies: facturaBodies, seen: shapes, few: 400 },
  { name: 'NotaCredito_V1.1.0.xsd', tipo: '04', bodies: notaCreditoBodies, seen: shapes, few: 400 },
  { name: 'GuiaRemision_V1.1.0.xsd', tipo: '06', bodies: guiaRemisionBodies, seen: [], few: 60 },
  { name: 'ComprobanteRetencion_V2.0.0.xsd', tipo: '07', bodies: ofVersion('2.0.0'), seen: [], few: 60 },
  { name: 'ComprobanteRetencion_V1.0.0.xsd', tipo: '07', bodies: ofVersion('1.0.0'), seen: [], few: 60 },
] as const)('the XML by $name', ({ name, tipo, bodies, seen, few }) => {
  test('is valid and adds up for generated bodies', () => {
    const validate = openXsd(name);
    const counts = new Map<string, number>();
    const numRuns = draws(few, 10_000);
    fc.assert(
      fc.property(bodies, (body) => {
        const document = written(tipo, body) as WrittenDocument;
        expect(structureFaults(document)).toEqual([]);
        const xml = writeDocument(document);
        for (const shape of seen) if (xml.includes(shape)) counts.set(shape, (counts.get(shape) ?? 0) + 1);
        validate(xml);
        if (document.figures === null) return;
        expect(document.figures.differences).toEqual([]);
        expect(wrongSums(xml, isStated(body) ? 2n : 0n)).toEqual([]);
      }),
      { numRuns },
    );
    for (const shape of seen)
      expect({ shape, often: (counts.get(shape) ?? 0) > numRuns / 10 }).toEqual({ shape, often: true });
  });

  test('is valid wherever the sandbox finds no fault, in bodies with a mistake in them', () => {
    const validate = openXsd(name);
    const counts = { refused: 0, faulty: 0, clean: 0 };
    fc.assert(
      fc.property(spoilt(bodies), (body) => {
        if (refusalOf(tipo, body)) {
          counts.refused += 1;
          return;
        }
        const document = written(tipo, body) as WrittenDocument;
        if (structureFaults(document).length > 0) {
          counts.faulty += 1;
          return;
        }
        counts.clean += 1;
        validate(writeDocument(document));
      }),
      { numRuns: draws(120, 3_000) },
    );
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(4);
  });
});

describe.each([
  ['/api/factura/emision', facturaBodies],
  ['/api/credito/emision', notaCreditoBodies],
] as const)('POST %s', (route, bodies) => {
  test('takes generated bodies, and the authority authorises them', async () => {
    const { send, settled } = await start();
    for (const body of fc.sample(bodies, 5)) {
      const { body: answer } = await send('POST', route, body);
      expect(answer).toMatchObject({ creado: true });
      expect((await settled(answer.claveacceso)).errores).toBeUndefined();
    }
  });
});
