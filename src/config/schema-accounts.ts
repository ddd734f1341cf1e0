import { z } from 'zod';

export const id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'Los nombres llevan minúsculas, números, «-» y «_» (hasta 63).');

export const filled = z.string().min(1);
const textUpTo = (length: number) => filled.max(length);

export const section = <Shape extends z.ZodRawShape>(description: string, shape: Shape) =>
  z
    .strictObject(shape)
    .prefault({} as never)
    .describe(description);

export const secret = z
  .string()
  .min(
    32,
    'El secreto debe tener al menos 32 caracteres, por ejemplo el que imprime «openssl rand -base64 32».',
  );

const webAddress = z.string().refine((text) => {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.hash === '';
}, 'Debe ser una dirección completa que empieza con https://, sin «?» ni «#».');
export const baseAddress = webAddress.transform((text) => text.replace(/(?<!\/)\/+$/, ''));

/** True for an invalid address, which is reported elsewhere. */
export function isEncrypted(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** Lengths of issuer fields: spec, block `emisor`. */
export const account = z
  .strictObject({
    baseUrl: baseAddress.meta({
      description: 'Where the service answers.',
      examples: ['https://servicio.example.ec'],
    }),
    plainHttpHost: filled
      .meta({
        description:
          'The host of `baseUrl`, where it is called without TLS: a sandbox in a network of your own. Never in production; without it only https is called, and this machine.',
        examples: ['sandbox'],
      })
      .optional(),
    apiKey: filled
      .meta({ description: 'The API key of the account.', examples: [`\${FACTURA_API_KEY}`] })
      .optional(),
    apiKeys: z
      .array(filled)
      .min(1)
      .describe(
        'Instead of `apiKey` while a key is rotated: the newest first (operations.md, "A new API key").',
      )
      .optional(),
    webhookSecrets: z
      .array(filled)
      .default([])
      .describe(
        'A secret of your own, with which the service signs its webhooks; `install` registers it. Two during a rotation, the newest first.',
      ),
    reprocess: section('How a document that ended with an error is submitted to the tax authority again.', {
      route: z
        .enum(['current', 'historic'])
        .default('current')
        .describe(
          '`current` is POST /api/comprobante/reprocesar, and the historic one where the service does not know that route; `historic` is POST /api/consultaprocesar at once.',
        ),
      idField: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]{0,59}$/, 'Es el nombre de un campo, como id_comprobante.')
        .default('id_comprobante')
        .describe('What the historic route calls the number that the service gave the document.'),
    }),
  })
  .refine(
    ({ baseUrl, plainHttpHost }) => isEncrypted(baseUrl) || new URL(baseUrl).hostname === plainHttpHost,
    {
      message:
        'La clave y los datos de los compradores saldrían sin cifrar: use https://, o escriba en plainHttpHost el nombre del equipo si es un sandbox de su propia red.',
      path: ['baseUrl'],
    },
  )
  .refine(({ apiKey, apiKeys }) => (apiKey === undefined) !== (apiKeys === undefined), {
    message: 'Escriba apiKey, o apiKeys con la clave más nueva primero; una de las dos.',
    path: ['apiKey'],
  })
  .refine(({ apiKeys = [] }) => new Set(apiKeys).size === apiKeys.length, {
    message: 'Una clave está escrita dos veces.',
    path: ['apiKeys'],
  });

/** Spec, "Company (issuer)", `smtp_…`. */
const smtp = z
  .strictObject({
    host: textUpTo(300).describe('The mail server.'),
    port: z.int().min(1).max(65_535).describe('Its port.'),
    user: textUpTo(300).describe('The mailbox to log in with.'),
    password: textUpTo(300).meta({
      description: 'Its password.',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: how a config names the environment.
      examples: ['${SMTP_PASSWORD}'],
    }),
    encryption: z.enum(['tls', 'ssl']).describe('Default: the connection is not encrypted.').optional(),
    fromEmail: z.email('No es una dirección de correo.').describe('The sender of the mails.'),
    fromName: textUpTo(300).describe('The name of the sender.').optional(),
  })
  .describe(
    'The mail server the service sends documents from, for `install`. Default: the server of the service.',
  );

const regime = (means: string) => z.boolean().describe(means).optional();

export const issuer = z
  .strictObject({
    account: filled.describe('The account it issues with: a name under `accounts`.'),
    ambiente: z
      .literal([1, 2, '1', '2'])
      .transform((value): 1 | 2 => (Number(value) === 1 ? 1 : 2))
      .describe('1 is pruebas, 2 is producción: only 2 has tax effect, and is charged.'),
    ruc: z
      .string()
      .regex(/^\d{10}001$/, 'El RUC tiene 13 dígitos, termina en 001 y va entre comillas.')
      .meta({ description: 'The RUC of the company, in quotes.', examples: ['"1790012345001"'] }),
    razon_social: textUpTo(300)
      .describe('Legal name, as in the RUC; `install` needs it to register the company.')
      .optional(),
    nombre_comercial: textUpTo(300).describe('Trade name: buyers read it on documents and pages.'),
    direccion_matriz: textUpTo(300).describe('Address of the head office.'),
    direccion_establecimiento: textUpTo(300).describe('Address of the establishment that issues.'),
    obligado_contabilidad: z.enum(['SI', 'NO']).describe('Whether the company must keep accounts.'),
    contribuyente_especial: textUpTo(50)
      .describe('Number of the resolution, for special taxpayers.')
      .optional(),
    calificacion_artesanal: textUpTo(50).describe('Number of the qualification, for artisans.').optional(),
    exportador_habitual: regime('Habitual exporter.'),
    gran_contribuyente: regime('Large taxpayer.'),
    agente_retencion: regime('Withholding agent; needs `numero_resolucion`.'),
    regimen_rimpe: regime('RIMPE régimen emprendedor.'),
    regimen_rimpe_popular: regime('RIMPE negocio popular; not together with `regimen_rimpe`.'),
    numero_resolucion: textUpTo(100).describe('Number of the resolution of a withholding agent.').optional(),
    signature: z
      .strictObject({
        file: filled.meta({
          description: 'The .p12, relative to the config.',
          examples: ['firma.p12'],
        }),
        passwordEnv: z
          .string()
          .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Es el nombre de una variable de entorno, como FIRMA_PASSWORD.')
          .meta({
            description: 'The environment variable that holds its password.',
            examples: ['FIRMA_PASSWORD'],
          }),
      })
      .describe('The electronic signature, for `install`, which checks it here before the upload.')
      .optional(),
    logo: filled
      .meta({ description: 'PNG or JPEG for the printed document; for `install`.', examples: ['logo.png'] })
      .optional(),
    smtp: smtp.optional(),
  })
  // Spec, errors 12: the service refuses both.
  .refine((value) => !(value.regimen_rimpe && value.regimen_rimpe_popular), {
    message: 'Solo un régimen RIMPE puede estar activo.',
    path: ['regimen_rimpe_popular'],
  })
  .refine((value) => !value.agente_retencion || value.numero_resolucion !== undefined, {
    message: 'Un agente de retención debe indicar el número de su resolución.',
    path: ['numero_resolucion'],
  });
