import { describe, expect, test } from 'vitest';
import { freePort } from '../../../sandbox/shops/loopback.ts';
import {
  allowed,
  apiKey,
  conform,
  differences,
  type Passing,
  secondKey,
  startProxy,
  startSandbox,
  surprises,
} from './support.ts';

// Proof that the checks can fail: a proxy alters one thing, and exactly the checks about it differ.

const emission = ({ path }: Passing) => path === '/api/factura/emision';
const refusedEmission = (passing: Passing) => emission(passing) && passing.body?.creado === false;
const accepted = ({ body: { aviso_proveedor_sri } }: Passing) => ({
  ...{ creado: true, claveacceso: '0'.repeat(49), id_comprobante: 1, estado: 'En procesamiento' },
  ...{ mensaje: 'Registrada.', aviso_proveedor_sri },
});
const buyer = ({ request }: Passing) => request?.comprador ?? {};
const at =
  (path: string, change: (body: Passing['body'], passing: Passing) => void) =>
  (passing: Passing): void => {
    if (passing.path === path && passing.body) change(passing.body, passing);
  };
const acceptIf = (wrong: (passing: Passing) => unknown) => (passing: Passing) => {
  if (refusedEmission(passing) && wrong(passing)) passing.body = accepted(passing);
};

/** One alteration a row: the checks that differ by it, and what is done to the answer. */
const tampered: [differing: string[], after: (passing: Passing) => void][] = [
  [['quince-adicionales'], acceptIf(({ request }) => request?.informacion_adicional?.length === 15)],
  [
    ['ruc-proveedor'],
    acceptIf(({ request }) => request?.informacion_adicional?.[0]?.nombre === 'RUC Proveedor'),
  ],
  [
    ['factura-comprador-razon-social-falta'],
    acceptIf((passing) => buyer(passing).direccion && !('razon_social' in buyer(passing))),
  ],
  [
    ['factura-items-está-vacía'],
    (passing) => {
      if (refusedEmission(passing) && passing.request?.items?.length === 0) passing.body.errors = 'items';
    },
  ],
  [
    ['comprador-06'],
    (passing) => {
      if (emission(passing) && buyer(passing).identificacion === 'PRUEBA12345')
        delete passing.body.id_comprobante;
    },
  ],
  [
    ['secuencial-repetido'],
    (passing) => {
      if (emission(passing) && passing.status === 409) passing.status = 200;
    },
  ],
  [
    ['clave-invalida-get-webhook'],
    at('/api/webhook', (_body, passing) => {
      if (passing.status === 401 && passing.method === 'GET') passing.status = 403;
    }),
  ],
  [
    ['ping-sin-clave', 'ping-no-valida-la-clave'],
    at('/api/ping', (_body, passing) => {
      passing.body = { ok: true };
    }),
  ],
  [
    ['empresa-los-dos-regímenes-rimpe-están-activos'],
    at('/api/empresa/crear', (body, { request }) => {
      if (request?.regimen_rimpe && request.regimen_rimpe_popular) body.errors = ['x'];
    }),
  ],
  [['crear-empresa'], at('/api/empresa/crear', (body) => delete body.data?.id)],
  [
    ['estado-autorizado'],
    (passing) => {
      if (passing.path.startsWith('/api/comprobante/consulta/') && passing.body?.estado === 4)
        passing.body.estado = 7;
    },
  ],
  [['aviso-en-cada-respuesta'], at('/api/creditos/saldo', (body) => delete body.aviso_proveedor_sri)],
  [
    ['precios-publicados'],
    at('/api/public/precios', (body, passing) => {
      passing.body = JSON.parse(JSON.stringify(body).replaceAll('0.0161', '0.0171'));
    }),
  ],
  [
    ['alias-consulta-post'],
    at('/api/consulta/ruc', (body) => {
      if (body.data) body.data.razon_social = 'OTRA';
    }),
  ],
  [
    ['verificacion-creada'],
    at('/api/id/verificaciones', (body) => {
      if (body.costo) body.costo = 0.6;
    }),
  ],
];

test('every alteration is found, and nothing else differs', async () => {
  const sandbox = await startSandbox();
  const after = (passing: Passing) => {
    for (const [, alter] of tampered) alter(passing);
  };
  const report = await conform(await startProxy(sandbox.url, { after }), allowed);
  const expected = tampered.flatMap(([ids]) => ids);
  expect(
    differences(report)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(expected.sort());
});

test('refusals answered with 400 or with creado as a text, by turns, differ in every field of the factura', async () => {
  const sandbox = await startSandbox();
  let turn = 0;
  const after = (passing: Passing) => {
    if (!refusedEmission(passing) || passing.status !== 200) return;
    turn += 1;
    if (turn % 2 === 0) passing.status = 400;
    else passing.body.creado = 'false';
  };
  const report = await conform(await startProxy(sandbox.url, { after }));
  const fields = report.checked.filter(
    ({ section, inferred }) => section === 'Campos de la factura' && !inferred,
  );
  expect(fields.length).toBeGreaterThan(90);
  expect(fields.filter(({ finding }) => finding.verdict !== 'differs')).toEqual([]);
});

test('a factura refused although it is correct is a difference, and no field can be judged', async () => {
  const sandbox = await startSandbox();
  const after = (passing: Passing) => {
    if (emission(passing) && passing.status === 200)
      passing.body = { creado: false, errors: ['No existe la empresa.'] };
  };
  const report = await conform(await startProxy(sandbox.url, { after }));
  const found = new Set(
    report.checked
      .filter(({ section, inferred }) => section === 'Campos de la factura' && !inferred)
      .map(({ finding }) => finding.verdict),
  );
  expect(found).toEqual(new Set(['unseen']));
  expect(differences(report).map(({ id }) => id)).toContain('factura-correcta');
});

test('a document another key may read differs on every route; a shape the specification does not show differs from our assumption only', async () => {
  const sandbox = await startSandbox();
  const before = ({ path, headers }: Passing) => {
    if (path.startsWith('/api/comprobante/') && headers['x-api-key'] === secondKey)
      headers['x-api-key'] = apiKey;
  };
  const after = (passing: Passing) => {
    if (passing.path.startsWith('/api/comprobante/consulta/')) delete passing.body.estado_texto;
  };
  const report = await conform(await startProxy(sandbox.url, { before, after }), { secondKey });
  expect(differences(report).map(({ id }) => id)).toEqual(
    ['consulta', 'xml', 'pdf'].map((route) => `otra-clave-${route}`),
  );
  expect(surprises(report).map(({ id }) => id)).toEqual(['supuesto-consulta']);
});

test('a secret shown in full on read differs, and is not told', async () => {
  const sandbox = await startSandbox();
  let secret = '';
  const after = ({ path, method, body }: Passing) => {
    if (path !== '/api/webhook' || !body) return;
    if (method === 'GET' && secret) body.secret = secret;
    else if (body.secret) secret = body.secret;
  };
  const report = await conform(await startProxy(sandbox.url, { after }), { webhook: { listen: 0 } });
  expect(differences(report).map(({ id }) => id)).toEqual(['webhook-secreto-enmascarado']);
  expect(JSON.stringify(report)).not.toContain(secret);
});

test('private webhook URLs that are taken differ, and a service that never refuses too many requests', async () => {
  const sandbox = await startSandbox({ allowLoopbackWebhooks: false });
  const after = (passing: Passing) => {
    if (passing.path === '/api/webhook' && passing.request?.url?.includes('192.168')) passing.status = 200;
    if (passing.status === 429) passing.status = 200;
  };
  const webhook = { url: 'https://conformidad.invalid/webhook' };
  const report = await conform(await startProxy(sandbox.url, { after }), { webhook, withRateLimit: true });
  expect(differences(report).map(({ id }) => id)).toEqual(['webhook-url-privada', 'trescientas-por-minuto']);
});

test('a service that falls silent leaves word that the webhook was not put back', async () => {
  const sandbox = await startSandbox();
  let asked = 0;
  const before = (passing: Passing) => {
    asked += 1;
    passing.cut = asked > 30;
  };
  const run = conform(await startProxy(sandbox.url, { before }), { webhook: { listen: 0 } });
  await expect(run).rejects.toThrow(
    /dejó de responder\..* El webhook de la cuenta no se pudo dejar como estaba/,
  );
});

test('a webhook nothing is delivered to is waited for once', async () => {
  const sandbox = await startSandbox();
  sandbox.faults.add({ dropWebhooks: { times: 100 } });
  const report = await conform(sandbox.url, { webhook: { listen: 0 }, waitSeconds: 1 });
  const found = report.checked.filter(({ section }) => section === 'Entregas del webhook');
  expect(new Set(found.map(({ finding }) => finding.verdict))).toEqual(new Set(['unseen']));
});

test('an address the service rightly refuses is no difference', async () => {
  const sandbox = await startSandbox({ allowLoopbackWebhooks: false });
  const report = await conform(sandbox.url, { webhook: { listen: 0 } });
  expect(differences(report)).toEqual([]);
});

describe('deliveries altered on their way', () => {
  test.each<[string, string[], (passing: Passing) => void]>([
    [
      'a wrong V1 signature, another id for every attempt and another user agent',
      ['entrega-user-agent', 'firma-v1', 'entrega-reintento', 'ultimas-entregas'],
      ({ headers }) => {
        headers['x-service-signature'] = `sha256=${'0'.repeat(64)}`;
        headers['x-service-delivery'] = crypto.randomUUID();
        headers['user-agent'] = 'Otro/1.0';
      },
    ],
    [
      'a wrong V2 signature',
      ['firma-v2', 'entrega-reintento'],
      ({ headers }) => {
        headers['x-service-signature-v2'] = headers['x-service-signature-v2']?.replace(/.$/, 'g') ?? '';
      },
    ],
  ])('%s: %j', async (_what, expected, before) => {
    const sandbox = await startSandbox();
    const listen = await freePort();
    const tunnel = await startProxy(`http://127.0.0.1:${listen}`, { before });
    const report = await conform(sandbox.url, { webhook: { listen, publicUrl: `${tunnel}/webhook` } });
    expect(differences(report).map(({ id }) => id)).toEqual(expected);
  });

  test('a body written anew has the wrong signature, and a field it lost is named', async () => {
    const sandbox = await startSandbox();
    const listen = await freePort();
    const before = (passing: Passing) => {
      delete passing.request.enviado_en;
      passing.sent = Buffer.from(JSON.stringify(passing.request));
    };
    const tunnel = await startProxy(`http://127.0.0.1:${listen}`, { before });
    const report = await conform(sandbox.url, { webhook: { listen, publicUrl: `${tunnel}/webhook` } });
    expect(differences(report)).toMatchObject(
      [
        { id: 'firma-v1' },
        { id: 'firma-v2' },
        { id: 'entrega-cuerpo', expected: 'enviado_en según la tabla' },
      ].concat([{ id: 'entrega-reintento' }] as never),
    );
  });
});
