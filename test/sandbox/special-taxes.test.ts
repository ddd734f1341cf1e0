import { describe, expect, test } from 'vitest';
import { type Client, factura, formerNotaCredito, notaCredito, start } from './support.ts';

type Change = NonNullable<Parameters<typeof factura>[0]>;

/** One line of 2 × 50.00 with ICE of 20 % and IVA of 15 %, in returnable bottles. */
const perfume: Change = (b) => {
  b.items = [
    {
      codigo_principal: 'PERFUME',
      descripcion: 'Perfume',
      cantidad: 2,
      precio_unitario: 50,
      tipoproducto: 1,
      tipo_iva: 4,
      tipo_ice: 3610,
      tipo_irbpnr: 5001,
    },
  ];
  b.totales = [{ codigo: '3', codigo_porcentaje: '3610', tarifa: 20 }];
  delete b.pagos;
};
const also =
  (...changes: Change[]): Change =>
  (b) => {
    for (const change of changes) change(b);
  };

async function authorisedXml(client: Client, path: string, body: unknown): Promise<string> {
  const { body: answer } = await client.send('POST', path, body);
  expect(await client.settled(answer.claveacceso)).toMatchObject({ autorizado: true });
  return (await client.get(`/api/comprobante/xml/${answer.claveacceso}`)).body;
}
const block = (xml: string, name: string) => new RegExp(`<${name}>.*</${name}>`).exec(xml)?.[0];
/** `codigo/codigoPorcentaje tarifa base valor` of every tax in the block. */
const taxes = (xml: string, name: 'impuesto' | 'totalImpuesto') =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'g'))].map(([, row = '']) =>
    [...row.matchAll(/<\w+>([^<]*)</g)].map((match) => match[1]).join(' '),
  );

describe('ICE and IRBPNR (assumption A20)', () => {
  test('ICE enters the base of IVA, IRBPNR does not (tabla 21): 100.00 + 20.00 + 18.00 + 0.04', async () => {
    const xml = await authorisedXml(await start(), '/api/factura/emision', factura(perfume));
    expect(taxes(xml, 'impuesto')).toEqual([
      '2 4 15.00 120.00 18.00',
      '3 3610 20.00 100.00 20.00',
      '5 5001 0.02 2.00 0.04',
    ]);
    // Here the base comes before the rate.
    expect(taxes(xml, 'totalImpuesto')).toEqual([
      '2 4 120.00 15.00 18.00',
      '3 3610 100.00 20.00 20.00',
      '5 5001 2.00 0.02 0.04',
    ]);
    expect(xml).toContain('<totalSinImpuestos>100.00</totalSinImpuestos>');
    expect(xml).toContain('<importeTotal>138.04</importeTotal>');
  });

  test.each<['described' | 'former', Change]>([
    ['former', () => {}],
    [
      'described',
      (b) => {
        delete b.totales;
        b.items[0].valor_ice = 20;
      },
    ],
  ])('a nota de crédito carries them too (%s)', async (dialect, change) => {
    const write = dialect === 'former' ? formerNotaCredito : notaCredito;
    const body = write(also(perfume, change));
    const xml = await authorisedXml(await start({ dialect }), '/api/credito/emision', body);
    expect(taxes(xml, 'totalImpuesto')).toEqual([
      '2 4 120.00 18.00',
      '3 3610 100.00 20.00',
      '5 5001 2.00 0.04',
    ]);
    expect(block(xml, 'valorModificacion')).toBe('<valorModificacion>138.04</valorModificacion>');
  });

  test('ICE is computed on the sum of its lines and stays unrounded in the base of IVA', async () => {
    const lines: Change = (b) => {
      const line = { ...b.items[0], cantidad: 1, precio_unitario: 0.52, tipo_irbpnr: 0 };
      b.items = [line, line, line];
    };
    const xml = await authorisedXml(await start(), '/api/factura/emision', factura(also(perfume, lines)));
    // Each line has 0.104, which is 0.10 by itself; together 0.312.
    expect(taxes(xml, 'impuesto')[1]).toBe('3 3610 20.00 0.52 0.10');
    expect(taxes(xml, 'totalImpuesto')).toEqual(['2 4 1.87 15.00 0.28', '3 3610 1.56 20.00 0.31']);
  });

  test('what totales states of a tax stands; what it leaves out is computed', async () => {
    const client = await start();
    const states: Change = (b) => (b.totales[0].valor = 20.01);
    await client.emit(factura(also(perfume, states)));
    expect(client.sandbox.documents()[0]?.figures).toMatchObject({ importeTotal: '138.05', differences: [] });
  });

  test('payments are held against the total with all taxes', async () => {
    const client = await start();
    const paid = (total: number): Change => also(perfume, (b) => (b.pagos = [{ tipo: 20, total }]));
    const decided = async (total: number) => {
      const body = factura(also(paid(total), (b) => delete b.emisor.secuencial));
      return client.settled((await client.emit(body)).body.claveacceso);
    };
    expect((await decided(138.04)).autorizado).toBe(true);
    expect((await decided(118)).errores).toMatchObject([{ identificador: '52' }]);
  });

  test('tipo_ice and tipo_irbpnr 0 mean none', async () => {
    const none: Change = (b) => Object.assign(b.items[0], { tipo_ice: 0, tipo_irbpnr: 0 });
    const xml = await authorisedXml(await start(), '/api/factura/emision', factura(none));
    expect(taxes(xml, 'totalImpuesto').map((row) => row[0])).toEqual(['2', '2']);
  });

  test.each<[string, Change, string]>([
    ['ICE without totales', (b) => delete b.totales, 'totales'],
    ['ICE whose totales speak of another code', (b) => (b.totales[0].codigo_porcentaje = '3011'), 'totales'],
    ['ICE whose row is one of IVA', (b) => (b.totales[0].codigo = '2'), 'totales'],
    ['ICE without its rate', (b) => delete b.totales[0].tarifa, 'tarifa'],
    ['an additional discount on ICE', (b) => (b.totales[0].descuento_adicional = 1), 'descuento_adicional'],
  ])('%s is a validation error that says what to state', async (_rule, change, word) => {
    const { emit, sandbox } = await start();
    const { status, body } = await emit(factura(also(perfume, change)));
    expect({ status, creado: body.creado }).toEqual({ status: 200, creado: false });
    expect(body.errors[0]).toContain(word);
    expect(sandbox.documents()).toEqual([]);
  });

  test('a rate of more than two decimals or four digits ends in 35', async () => {
    const { emit, settled } = await start();
    const { body } = await emit(factura(also(perfume, (b) => (b.totales[0].tarifa = 20.125))));
    expect((await settled(body.claveacceso)).errores[0]).toMatchObject({ identificador: '35' });
  });
});

describe('subsidio and descuento_adicional (assumption A20)', () => {
  test('a subsidy per unit shows the price without it and the total of it, and changes no amount', async () => {
    const subsidised: Change = (b) => (b.items[0].subsidio = 0.5);
    const xml = await authorisedXml(await start(), '/api/factura/emision', factura(subsidised));
    expect(xml).toContain('<precioSinSubsidio>17.882609</precioSinSubsidio>');
    expect(xml).toContain('<totalSubsidio>1.00</totalSubsidio>');
    expect(xml).toContain('<importeTotal>47.98</importeTotal>');
  });

  test('an additional discount lowers the base of its rate and the total, and counts as discount', async () => {
    const discount: Change = (b) => {
      b.totales = [
        { codigo: '2', codigo_porcentaje: '4', descuento_adicional: 7.81 },
        { codigo: '2', codigo_porcentaje: '0' },
      ];
      delete b.pagos;
    };
    const xml = await authorisedXml(await start(), '/api/factura/emision', factura(discount));
    expect(taxes(xml, 'totalImpuesto')).toEqual(['2 4 7.81 30.00 15.00 4.50', '2 0 4.50 0.00 0.00']);
    expect(xml).toContain('<totalSinImpuestos>34.50</totalSinImpuestos>');
    expect(xml).toContain('<totalDescuento>8.31</totalDescuento>');
    expect(xml).toContain('<importeTotal>39.00</importeTotal>');
  });
});
