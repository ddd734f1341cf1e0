import { createSandbox } from '../../../sandbox/emulator/index.ts';
import type { Operation } from '../../../sandbox/emulator/operation.ts';
import { allOperations } from '../../../sandbox/emulator/operations/all.ts';
import { otherDocumentPaths } from '../../../sandbox/emulator/operations/emision.ts';
import type { Reader } from './cost.ts';
import { type Fields, fitting, formsOf, formType, type Request, send } from './http.ts';
import { sampleOf } from './service.ts';
import { placesIn, withValue } from './texts.ts';

const key = { 'x-api-key': 'clave-1' };
const json = { 'content-type': 'application/json' };
const boundary = 'limite';

/** Bytes of an address that are let in. */
const headRoom = 12_000;

interface Value {
  /** As long as an address may be, instead of as long as it is. */
  inHead?: true;
  with(text: string): Request;
}

/** Every value an operation of the service takes: in its path, its query, its JSON and its multipart body. */
function valuesOf({ id, method, path, params, query, json: body, multipart }: Operation, factura: unknown) {
  const ask = (more: Partial<Request>): Request => ({
    method: method.toUpperCase(),
    path: path.replace(/:\w+/g, 'x'),
    headers: key,
    ...more,
  });
  const values: [string, Value][] = [];
  for (const name of Object.keys(params?.shape ?? {}))
    values.push([
      `:${name}`,
      {
        inHead: true,
        with: (text) => ask({ path: path.replace(/:\w+/g, encodeURIComponent(text.toWellFormed())) }),
      },
    ]);
  for (const name of Object.keys(query?.shape ?? {}))
    values.push([
      `?${name}`,
      { inHead: true, with: (text) => ask({ path: `${path}?${new URLSearchParams({ [name]: text })}` }) },
    ]);
  if (body) {
    const sample = id === 'emitir_factura' ? factura : sampleOf(body, 'input');
    for (const [kind, at] of placesIn(sample))
      values.push([
        kind,
        {
          with: (text) =>
            ask({ headers: { ...key, ...json }, body: JSON.stringify(withValue(sample, at, text)) }),
        },
      ]);
  }
  if (multipart) {
    const type = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const part = (head: string, text: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
    const names = [
      ...Object.keys(multipart.fields.shape).map((name) => `name="${name}"`),
      ...multipart.files.map((name) => `name="${name}"; filename="a"`),
    ];
    for (const name of names)
      values.push([
        `multipart ${name}`,
        {
          with: (text) =>
            ask({ headers: { ...key, ...type }, body: `${part(name, text)}--${boundary}--\r\n` }),
        },
      ]);
    values.push([
      'the head of a part',
      {
        with: (text) =>
          ask({ headers: { ...key, ...type }, body: `${part(`name="${text}"`, 'x')}--${boundary}--\r\n` }),
      },
    ]);
  }
  return values.map(([name, value]) => [`${id} ${name}`, value] as const);
}

/** The emulator's own page and control routes; forms with what their fields hold. */
async function ownValues(url: string) {
  const values: [string, Value][] = [];
  const [first = ''] = /\/pagina\/comprobantes\/\d+/.exec(await (await fetch(url)).text()) ?? [];
  for (const path of [
    '/',
    first,
    ...['entregas', 'cuentas', 'fallas', 'reloj', 'auditoria'].map((page) => `/pagina/${page}`),
  ]) {
    const page = await (await fetch(`${url}${path}`)).text();
    for (const name of ['tipo', 'estado', 'cuenta', 'q', 'buscar', 'aviso'])
      values.push([
        `${path} ?${name}`,
        {
          inHead: true,
          with: (text) => ({ method: 'GET', path: `${path}?${new URLSearchParams({ [name]: text })}` }),
        },
      ]);
    for (const { action, isGet, fields } of formsOf(page, path)) {
      // It would forget everything.
      if (isGet || action.endsWith('/reiniciar')) continue;
      for (const name of Object.keys(fields))
        values.push([
          `${action} ${name}`,
          {
            inHead: true,
            with: (text) => ({
              method: 'POST',
              path: action,
              headers: { 'content-type': formType, origin: url },
              body: new URLSearchParams({ ...(fields as Fields), [name]: text }).toString(),
            }),
          },
        ]);
    }
  }
  const control: Record<string, unknown> = {
    clock: { set: '2026-11-20T10:00:00-05:00', stepMs: 1, rate: 1 },
    faults: {
      outcome: { identificacion: 'x', informacionAdicional: 'x' },
      spoilXml: { campo: 'x', valor: 'x' },
    },
    recargas: { apiKey: 'x', cartera: 'facturacion', usd: 1 },
    'verificaciones/x': { estado: 'x' },
    estado: { estado: 'x', sri: { recepcion: 'x' } },
  };
  for (const [route, sample] of Object.entries(control))
    for (const [kind, at] of placesIn(sample))
      values.push([
        `/__sandbox/${route} ${kind}`,
        {
          with: (text) => ({
            method: 'POST',
            path: `/__sandbox/${route}`,
            headers: json,
            body: JSON.stringify(withValue(sample, at, text)),
          }),
        },
      ]);
  return values;
}

/** What clients of the emulated service send, to its operations, as a tool's arguments and on its page. */
export async function openEmulatorReaders(): Promise<{ readers: readonly Reader[]; close(): Promise<void> }> {
  const noon = Date.parse('2026-11-20T15:00:00Z');
  // A request each quarter of a second: a key has 300 in a minute.
  let asked = 0;
  const sandbox = await createSandbox({
    accounts: [{ apiKey: 'clave-1' }],
    authorizeDelayMs: 0,
    now: () => new Date(noon + asked * 250),
  });
  const factura = sandbox.exampleFactura();
  await send(sandbox.url, {
    method: 'POST',
    path: '/api/factura/emision',
    headers: { ...key, ...json },
    body: JSON.stringify(factura),
  });
  const operations = allOperations({
    settings: { otherDocumentPaths, dialect: 'described', arithmetic: 'totals' },
  } as never);
  const reader = (name: string, known: ReadonlyMap<string, Value>): Reader => ({
    name,
    places: [...known.keys()],
    prepare(place, text) {
      const { inHead, with: make } = known.get(place) as Value;
      const request = make(
        inHead ? fitting(text, headRoom, (part) => encodeURIComponent(part.toWellFormed())) : text,
      );
      return () => {
        asked += 1;
        // Whatever a form or a route put there would meet the next request.
        sandbox.faults.clear();
        return send(sandbox.url, request);
      };
    },
  });
  const tool = ({ id, json: body }: Operation): Reader[] => {
    if (!body) return [];
    const sample = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: id, arguments: sampleOf(body, 'input') },
    };
    const values = [...placesIn(sample)].map(
      ([kind, at]) =>
        [
          kind,
          {
            with: (text: string): Request => ({
              method: 'POST',
              path: '/mcp',
              headers: { ...key, ...json, accept: 'application/json, text/event-stream' },
              body: JSON.stringify(withValue(sample, at, text)),
            }),
          },
        ] as const,
    );
    return [reader(`the emulator's tool ${id}`, new Map(values))];
  };
  return {
    readers: [
      ...operations.map((one) => reader(`the emulator: ${one.id}`, new Map(valuesOf(one, factura)))),
      ...operations
        .filter(({ id }) => id === 'emitir_factura' || id === 'reprocesar_comprobante')
        .flatMap(tool),
      reader('the page of the emulator', new Map(await ownValues(sandbox.url))),
    ].filter(({ places }) => places.length > 0),
    close: sandbox.close,
  };
}
