import { z } from 'zod';
import { agrees, type Check, differs, Unseen } from '../check.ts';
import { type Context, scene } from '../context.ts';
import { compare } from '../expectation.ts';

const section = 'Rutas públicas';
const open = (context: Context, path: string) => context.service.ask({ method: 'GET', path, key: null });
const prices = scene((context: Context) => open(context, '/api/public/precios'));

/** Recharges with their price per document, and verifications, in USD (spec, "Limits"). */
const published = [50, 0.0287, 100, 0.023, 500, 0.0161, 1500, 0.0115];
const verification = [0.5, 0.75, 1];

/** What anybody may ask; the paths themselves are assumed. */
export const publicChecks: readonly Check[] = [
  ...(['/api/public/status', '/api/status'] as const).map(
    (path): Check => ({
      id: `supuesto-estado-${path.includes('public') ? 'public' : 'raiz'}`,
      section,
      row: 'Authentication, 1; Paths known, /api/public/...',
      inferred: 'A27',
      title: `${path} responde sin clave con el estado del servicio`,
      run: async (context) =>
        compare(await open(context, path), {
          says: 'HTTP 200 con estado, sri y actualizado_en',
          status: 200,
          shape: z.looseObject({
            success: z.literal(true),
            estado: z.string(),
            sri: z.looseObject({ recepcion: z.unknown(), autorizacion: z.unknown() }),
            actualizado_en: z.string(),
          }),
        }),
    }),
  ),
  {
    id: 'supuesto-precios',
    section,
    row: 'Paths known, price table route under /api/public/...',
    inferred: 'A27',
    title: '/api/public/precios responde sin clave con la tabla de precios',
    run: async (context) =>
      compare(await prices(context), {
        says: 'HTTP 200 con facturacion, verificaciones y consultas',
        status: 200,
        shape: z.looseObject({
          success: z.literal(true),
          facturacion: z.array(z.looseObject({ recarga: z.number(), precio_documento: z.number() })),
          verificaciones: z.unknown().refine((value) => value !== undefined),
          consultas: z.looseObject({ gratis_por_mes: z.number(), precio: z.number() }),
        }),
      }),
  },
  {
    id: 'precios-publicados',
    section,
    row: 'Limits, Billing wallet recharge tiers; Identity verification price',
    title: 'la tabla de precios trae los precios de la especificación',
    async run(context) {
      const { status, bytes } = await prices(context);
      if (status !== 200) throw new Unseen('La tabla de precios no está en /api/public/precios (A27).');
      const numbers = new Set((bytes.toString('utf8').match(/\d+(\.\d+)?/g) ?? []).map(Number));
      const missing = [...published, ...verification].filter((price) => !numbers.has(price));
      return missing.length === 0
        ? agrees()
        : differs([...published, ...verification].join(', '), `faltan ${missing.join(', ')}`);
    },
  },
];
