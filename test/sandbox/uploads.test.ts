import { describe, expect, test } from 'vitest';
import { png } from './image-support.ts';
import { p12 } from './p12-support.ts';
import { type Client, ruc, sendForm, withCompany } from './support.ts';

// What the uploads of a signature and of a logo have in common; the files themselves are in signature and logo.

const password = 'clave';

const sentences = expect.stringMatching(/^\p{Lu}.+\.$/u);
const useOne = expect.stringContaining('Use solo un método por solicitud');

type Body = Record<string, unknown>;
type Form = Record<string, string | Buffer>;

describe.each([
  {
    ...{ route: 'subirfirma', file: 'firma_file', base64: 'firma_base64', other: 'logo_file' },
    ...{ bytes: p12(), texts: { password } as Form, most: 10 },
  },
  {
    ...{ route: 'subirlogo', file: 'logo_file', base64: 'logo_base64', other: 'firma_file' },
    ...{ bytes: png(), texts: {}, most: 2 },
  },
])('POST /api/empresa/$route', ({ route, file, base64, other, bytes, texts, most }) => {
  const path = `/api/empresa/${route}`;
  const whole = { ruc, ...texts };
  const byForm = (client: Client, form: Form) => sendForm(client, path, form);
  const byJson = (client: Client, body: Body) => client.send('POST', path, body);
  const text = bytes.toString('base64');

  test.each<[string, string, Body, unknown?]>([
    ['no RUC', 'ruc', { ruc: undefined }],
    ['an impossible RUC', 'ruc', { ruc: '123' }],
    ['no bytes', base64, { [base64]: undefined }],
    ['what is no base64', base64, { [base64]: 'no es base64' }],
    [
      'a data URI',
      base64,
      { [base64]: `data:application/octet-stream;base64,${text}` },
      expect.stringContaining('sin el prefijo data:'),
    ],
    ['both methods', file, { [file]: 'x' }, useOne],
    ['an unknown field', 'clave', { clave: 'x' }],
  ])('400: JSON with %s is at fault in %s', async (_, field, change, sentence = sentences) => {
    const answer = await byJson(await withCompany(), { ...whole, [base64]: text, ...change });
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [sentence] } } });
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });

  test.each<[string, string, Form, unknown?]>([
    ['no file', file, {}],
    ['an empty one', file, { [file]: Buffer.alloc(0) }],
    ['another file', other, { [file]: bytes, [other]: Buffer.from('x') }],
    ['an unknown field', 'clave', { [file]: bytes, clave: 'x' }],
    ['both methods', base64, { [file]: bytes, [base64]: text }, useOne],
  ])('400: multipart with %s is at fault in %s', async (_, field, parts, sentence = sentences) => {
    const answer = await byForm(await withCompany(), { ...whole, ...parts });
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [sentence] } } });
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });

  test(`max ${most} MB: so many are read, one byte more is refused, by both methods`, async () => {
    const client = await withCompany();
    const sized = (length: number) => Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);
    const largest = sized(most * 1024 * 1024);
    const more = sized(largest.length + 1);
    const refused = expect.stringContaining(`más de ${most} MB`);
    const read = await byForm(client, { ...whole, [file]: largest });
    expect(read.body.errors?.[file] ?? []).not.toContainEqual(refused);
    const form = await byForm(client, { ...whole, [file]: more });
    expect(form.body.errors).toEqual({ [file]: [refused] });
    const json = await byJson(client, { ...whole, [base64]: more.toString('base64') });
    expect(json.body.errors).toEqual({ [base64]: [refused] });
  });

  test('neither secrets nor the file are in the kept requests', async () => {
    const client = await withCompany();
    await byJson(client, { ...whole, [base64]: text });
    await byForm(client, { ...whole, [file]: bytes });
    const kept = JSON.stringify(client.sandbox.requests());
    expect(kept).toContain(ruc);
    expect(kept).not.toContain(text.slice(0, 40));
    for (const secret of Object.values(texts)) expect(kept).not.toContain(`"${secret}"`);
  });
});

test('400: a signature without its password, or with a number for it', async () => {
  const client = await withCompany();
  for (const given of [undefined, 1234]) {
    const body = { ruc, firma_base64: p12().toString('base64'), password: given };
    const answer = await client.send('POST', '/api/empresa/subirfirma', body);
    expect(answer).toMatchObject({ status: 400, body: { errors: { password: [sentences] } } });
  }
});
