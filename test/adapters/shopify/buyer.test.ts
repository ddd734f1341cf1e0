import { describe, expect, test } from 'vitest';
import { readOrder } from '../../../adapters/shopify/order.ts';
import { Connection } from '../../../adapters/shopify/settings.ts';
import { connection } from './payloads.ts';
import { plainOrder } from './plain-order.ts';

const buyer = (changes: Record<string, unknown>, settings = connection) =>
  readOrder(plainOrder(changes), settings).buyer;
const asked = (name: string, value: unknown) => buyer({ note_attributes: [{ name, value }] }).ids;

test('the name is the customer’s where the address has only blanks', () => {
  const customer = { first_name: 'Ana', last_name: 'Paz' };
  for (const name of ['', ' ', null])
    expect(buyer({ billing_address: { name }, customer }).name).toBe('Ana Paz');
});

describe('the identification', () => {
  test.each([
    'Cédula',
    'CEDULA',
    'cedula_ruc',
    'Cédula / RUC',
    'Cédula/RUC/Pasaporte',
    'Número de cédula o RUC',
    'Identificación (cédula o RUC)',
    'Cédula del cliente',
    'C.I. / RUC',
    'Número de cédula',
    'Cédula, RUC o pasaporte',
    'Documento de identidad',
    'Identificación tributaria',
    'billing_cedula',
    'No. de identificación',
    'Número de identificación',
    'identificacion',
  ])('is found in a note attribute called %s', (name) => {
    expect(asked(name, ' 1710034065 ')).toMatchObject([
      { value: '1710034065', source: `note attribute ${name}` },
    ]);
  });

  /** Names that themes and apps gave it; the first thirteen of findings in shops. */
  test.each([
    'Cédula de identidad o RUC',
    'Número de identificación (Cédula/RUC)',
    'C.I o RUC',
    'N° de cédula',
    'Nro. Cédula',
    'Ingrese su cédula o RUC',
    'Cédula o RUC para la factura',
    'customer_cedula',
    'ruc_ci',
    'id_number',
    'VAT number',
    'identificacion_factura',
    'Datos factura (RUC/CI)',
    'Factura: R.U.C. / C.I.',
    '¿A qué cédula facturamos?',
    'Su DNI o pasaporte',
    'checkout-documento-cliente',
    'CI/RUC *',
  ])('is found in an attribute that a theme calls %s', (name) => {
    expect(asked(name, '1710034065')).toMatchObject([
      { value: '1710034065', source: `note attribute ${name}` },
    ]);
  });

  test.each([
    ['the box for it', 'Quiero factura con RUC', 'Sí'],
    ['its type', 'Tipo de documento del cliente', '05'],
    ['a picture of it', 'Sube tu cédula aquí', 'https://cdn.example/1710034065.jpg'],
    ['its day', 'Fecha de expedición de la cédula', '2019-03-04'],
    ['who receives the parcel', 'Cédula de quien recibe', '1710034065'],
    ['who collects it', 'CI de la persona que retira', '1710034065'],
    ['who carries it', 'RUC del transportista', '1790016919001'],
    ['who sold it', 'Cédula del vendedor', '1710034065'],
    ['a word that only contains one', 'Ciudad o cuidado', '1710034065'],
    ['another word', 'Circuito', '1710034065'],
  ])('is not %s', (_what, name, value) => {
    expect(asked(name, value)).toEqual([]);
  });

  test('in an attribute with a name of the list goes before one that is found by its words', () => {
    const note_attributes = [
      { name: 'Ingrese su cédula', value: '0159999994' },
      { name: 'Cédula', value: '1710034065' },
    ];
    expect(buyer({ note_attributes }).ids.map(({ value }) => value)).toEqual(['1710034065', '0159999994']);
    const names = ['cédula'];
    const own = {
      app: 'demo',
      shop: 'demo-ec.myshopify.com',
      idSources: [{ kind: 'note-attribute', names }],
    };
    expect(buyer({ note_attributes }, Connection.parse(own)).ids).toMatchObject([{ value: '1710034065' }]);
  });

  test('takes its type from the attribute that names it, or from the one that states it', () => {
    expect(asked('RUC', '1790012345001')[0]?.type).toBe('ruc');
    expect(asked('Pasaporte', 'AB123456')[0]?.type).toBe('pasaporte');
    const note_attributes = [
      { name: 'tipo_identificacion', value: 'Cédula' },
      { name: 'identificacion', value: '1710034065' },
    ];
    expect(buyer({ note_attributes }).ids).toEqual([
      { value: '1710034065', source: 'note attribute identificacion', type: 'cedula' },
    ]);
  });

  test('is the passport the buyer says it is, also in a box called after the cédula', () => {
    const of = (name: string, value: string) =>
      buyer({
        note_attributes: [
          { name: 'Tipo de documento', value: 'Pasaporte' },
          { name, value },
        ],
      }).ids[0]?.type;
    expect(of('cedula', 'AB123456')).toBe('pasaporte');
    expect(of('RUC', 'AB123456')).toBe('pasaporte');
    expect(of('cedula', '1710034065')).toBe('cedula');
  });

  test('may be a number in the JSON, is never an empty text', () => {
    expect(asked('cédula', 1710034065)[0]?.value).toBe('1710034065');
    expect(asked('cédula', '  ')).toEqual([]);
    expect(asked('cédula', null)).toEqual([]);
  });

  test('in company or address2 must be the whole text, with or without a label', () => {
    const of = (company: string, address2 = '') => buyer({ billing_address: { company, address2 } }).ids;
    expect(of('1790012345001')).toEqual([
      { value: '1790012345001', source: 'billing address company', type: null, elsewhere: true },
    ]);
    // Who writes what it is has said so, wherever it stands.
    expect(of('RUC: 1790012345001')).toEqual([
      { value: '1790012345001', source: 'billing address company', type: 'ruc' },
    ]);
    expect(of('', 'C.I. 1710034065')[0]).toMatchObject({
      value: '1710034065',
      source: 'billing address address2',
    });
    expect(of('ACME S.A.', 'Dpto 4B')).toEqual([]);
    expect(of('Bodega 1710034065 norte')).toEqual([]);
  });

  test('has no type where its name allows several', () => {
    expect(asked('Cédula / RUC', '1710034065')[0]?.type).toBeNull();
    expect(asked('Cédula o pasaporte', 'AB123456')[0]?.type).toBeNull();
    expect(asked('Número de cédula', '1710034065')[0]?.type).toBe('cedula');
  });

  test('of a foreigner is foreign, also where the field says cédula', () => {
    const note_attributes = [
      { name: 'Tipo de documento', value: 'Cédula extranjera' },
      { name: 'identificación', value: '1020345678' },
    ];
    expect(buyer({ note_attributes }).ids[0]?.type).toBe('exterior');
  });

  test('is not a second telephone in the address, but is a company’s number', () => {
    // 0958765432 has the shape of a cédula and of a mobile telephone.
    expect(buyer({ billing_address: { address2: '0958765432' } }).ids).toEqual([]);
    expect(buyer({ billing_address: { address2: 'CI 0958765432' } }).ids).toHaveLength(1);
    expect(buyer({ billing_address: { company: '1710034065' } })).toMatchObject({
      company: null,
      ids: [{ value: '1710034065' }],
    });
  });

  test('comes with every telephone of the sale, so that none is taken for it', () => {
    const changes = {
      phone: '+593987654321',
      customer: { phone: '0911111111' },
      billing_address: { phone: '022345678' },
      shipping_address: { phone: '0933333333' },
    };
    expect(buyer(changes).phones).toEqual(['+593987654321', '022345678', '0933333333', '0911111111']);
  });

  test("is not the buyer's phone number typed into the address", () => {
    const billing_address = { address2: '0958765432', phone: '+593 95 876 5432' };
    expect(buyer({ billing_address }).ids).toEqual([]);
  });

  test('is looked for where the store says, in that order', () => {
    const settings = Connection.parse({
      app: 'demo',
      shop: 'demo-ec.myshopify.com',
      idSources: [{ kind: 'address-company' }, { kind: 'note-attribute', names: ['NIT'] }],
    });
    const changes = {
      billing_address: { company: '1790012345001' },
      note_attributes: [
        { name: 'nit', value: '123' },
        { name: 'cédula', value: '1710034065' },
      ],
    };
    expect(buyer(changes, settings).ids.map(({ value }) => value)).toEqual(['1790012345001', '123']);
  });
});

describe('the person', () => {
  test('is the billing name, else the customer, else who receives', () => {
    const person = {
      billing_address: {
        name: ' María  Núñez ',
        address1: 'Av. Amazonas',
        address2: '',
        city: 'Quito',
        country_code: 'ec',
      },
      customer: { first_name: 'Otra', last_name: 'Persona', email: 'otra@example.com' },
      shipping_address: { name: 'Portería', country_code: 'CO' },
      email: '',
      phone: null,
    };
    expect(buyer(person)).toMatchObject({
      name: 'María Núñez',
      address: 'Av. Amazonas, Quito',
      country: 'EC',
      email: 'otra@example.com',
    });
    expect(buyer({ ...person, billing_address: null })).toMatchObject({
      name: 'Otra Persona',
      country: 'CO',
    });
    expect(buyer({ ...person, billing_address: null, customer: null }).name).toBe('Portería');
  });

  test('has the legal name the buyer gave for the factura', () => {
    const note_attributes = [{ name: 'Razón social', value: 'ACME S.A.' }];
    expect(buyer({ note_attributes, billing_address: { company: 'Acme' } }).company).toBe('ACME S.A.');
  });

  test('may be unknown altogether', () => {
    const nobody = {
      name: null,
      company: null,
      email: null,
      phone: null,
      phones: [],
      address: null,
      country: null,
      ids: [],
    };
    expect(buyer({ customer: null, billing_address: null, shipping_address: null, email: '' })).toEqual(
      nobody,
    );
  });
});
