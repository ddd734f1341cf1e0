import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { structureFaults } from '../../sandbox/emulator/authority/structure.ts';
import { writeDocument } from '../../sandbox/emulator/authority/xml/document.ts';
import { draws } from '../support/chance.ts';
import { hasShared } from '../support/shared.ts';
import { openXsd } from '../support/xsd.ts';
import { factura, facturaBodies, notaCredito, notaCreditoBodies, read, spoilt } from './generated-bodies.ts';
import { wrongSums } from './independent-sums.ts';
import { stored } from './stored.ts';
import { start, today } from './support.ts';

const isStated = (body: Record<string, unknown>) =>
  /precio_total_sin|base_imponible|valor_ice/.test(JSON.stringify(body));

/** What the generated bodies must bring about often, so that validity says something. */
const shapes = [
  ...['<codigo>3</codigo>', '<codigo>5</codigo>', '<agenteRetencion>', '<contribuyenteRimpe>'],
  ...['<detAdicional', '<contribuyenteEspecial>', '&amp;', '🌿', '<codigoPorcentaje>8</codigoPorcentaje>'],
];

describe.skipIf(!hasShared).each([
  { name: 'factura_V1.1.0.xsd', kind: factura, bodies: facturaBodies },
  { name: 'NotaCredito_V1.1.0.xsd', kind: notaCredito, bodies: notaCreditoBodies },
])('the XML by $name', ({ name, kind, bodies }) => {
  test('is valid and adds up for generated bodies', () => {
    const validate = openXsd(name);
    const seen = new Map<string, number>();
    const numRuns = draws(500, 10_000);
    fc.assert(
      fc.property(bodies, (body) => {
        const document = stored(read(kind, body));
        expect({ faults: structureFaults(document), differences: document.figures.differences }).toEqual({
          faults: [],
          differences: [],
        });
        const xml = writeDocument(document);
        for (const shape of shapes) if (xml.includes(shape)) seen.set(shape, (seen.get(shape) ?? 0) + 1);
        validate(xml);
        expect(wrongSums(xml, isStated(body) ? 2n : 0n)).toEqual([]);
      }),
      { numRuns },
    );
    for (const shape of shapes)
      expect({ shape, seen: (seen.get(shape) ?? 0) > numRuns / 10 }).toEqual({ shape, seen: true });
  });

  test('is valid wherever the sandbox finds no fault, in bodies with a mistake in them', () => {
    const validate = openXsd(name);
    const seen = { refused: 0, faulty: 0, clean: 0 };
    fc.assert(
      fc.property(spoilt(bodies), (body) => {
        if ('errors' in kind.read(body, today)) {
          seen.refused += 1;
          return;
        }
        const document = stored(read(kind, body));
        if (structureFaults(document).length > 0) {
          seen.faulty += 1;
          return;
        }
        seen.clean += 1;
        validate(writeDocument(document));
      }),
      { numRuns: draws(120, 3_000) },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(4);
  });

  test('is valid through the routes too, and authorised', async () => {
    const validate = openXsd(name);
    const { send, settled, get } = await start();
    const route = kind === factura ? '/api/factura/emision' : '/api/credito/emision';
    for (const body of fc.sample(bodies, 15)) {
      const { body: answer } = await send('POST', route, body);
      expect(answer).toMatchObject({ creado: true });
      expect((await settled(answer.claveacceso)).errores).toBeUndefined();
      const { body: wrapped } = await get(`/api/comprobante/xml/${answer.claveacceso}`);
      validate(/<!\[CDATA\[(.*)\]\]>/s.exec(wrapped)?.[1] ?? '');
    }
  });
});
