import { alerts } from './alerts.ts';
import { forms, formsOf, type Message } from './message.ts';

export interface Failed {
  answer: string;
  errors: readonly string[];
}

const asked = {
  service: ({ answer, errors }: Failed): string => {
    if (answer === 'unauthorized')
      return 'El servicio no acepta la clave de API: cópiela otra vez del panel de su cuenta.';
    if (answer === 'throttled')
      return 'El servicio pide esperar (300 llamadas por minuto): repita en un minuto.';
    if (answer === 'refused') return `El servicio no lo acepta: ${errors.join(' ') || 'sin decir por qué.'}`;
    return 'El servicio no respondió como debe: revise su conexión y «baseUrl», y repita; nada se envía dos veces.';
  },
};

export interface Attempt {
  attempt: { event: string | null; at: string | null };
}
const lastOf = ({ attempt: { event, at } }: Attempt) =>
  `El último (${event ?? 'sin nombre'}, ${at ?? 'sin fecha'})`;

const unread = ({ path }: { path: string }) => `No se pudo leer ${path}: revise la ruta y los permisos.`;
const noCompany = () => 'El servicio no conoce la empresa: resuelva primero lo que se dice de ella.';
const withNew = 'con su certificadora y repita «facturapuente install» con el archivo nuevo.';
const apart = (seconds: number) => `${seconds > 0 ? 'adelanta' : 'atrasa'} ${Math.abs(seconds)} s`;

export const serviceChecks = {
  'service-webhook': [
    formsOf('El webhook del servicio lleva a esta instalación, y sus avisos llegan.', {
      webhook: () => 'Webhook del servicio',
      deliveries: ({ at }: { at: string | null }) =>
        `Avisos del servicio${at === null ? '' : `, el último ${at}`}`,
    }),
    forms(
      'Ejecute «facturapuente install», que lo pone; si la cuenta tiene el de otro sistema, con --replace. Si los avisos no llegan, revise que publicUrl se abra desde internet.',
      {
        ...asked,
        secret: ({ account }: { account: string }) =>
          `Escriba un secreto suyo, por ejemplo el que imprime «openssl rand -base64 32», en accounts.${account}.webhookSecrets.`,
        elsewhere: ({ now }: { now: string }) =>
          `El webhook de la cuenta va a otra dirección (${now}), quizá de otro sistema, y solo hay uno: repita con --replace para traerlo aquí.`,
        wanted: ({ url }: { url: string }) => `Debe ir a ${url} con el secreto de la configuración.`,
        none: () =>
          'El servicio todavía no ha enviado ninguno: pida en su panel una entrega de prueba (webhook.prueba) y repita.',
        signature: (attempt: Attempt) =>
          `${lastOf(attempt)} llegó con otra firma: el secreto del servicio no es el de la configuración; repítalo con «facturapuente install --resend».`,
        answered: ({ status, ...attempt }: Attempt & { status: number }) =>
          `${lastOf(attempt)} recibió la respuesta ${status}: revise que su proxy deje pasar POST y que publicUrl lleve a facturapuente.`,
        lost: ({ reason, ...attempt }: Attempt & { reason: string | null }) =>
          `${lastOf(attempt)} no llegó (${reason ?? 'sin respuesta'}). Mientras tanto se pregunta por cada documento. La dirección debe abrirse desde internet: publicUrl.`,
      },
    ),
  ],
  company: [
    ({ ruc = '' }: { ruc?: string }) => `Empresa${ruc && ` ${ruc}`}`,
    forms('«facturapuente install» la registra en el servicio; con --replace reemplaza los datos de otro.', {
      ...asked,
      unnamed: () =>
        'Escriba su razón social como consta en el RUC, que el servicio exige para registrar la empresa: razon_social del emisor.',
      unsent: () => 'Todavía no se ha registrado desde aquí.',
      changed: ({ smtp }: { smtp: boolean }) =>
        `La configuración cambió desde que se registró.${smtp ? '' : ' Al enviarla, el correo propio (SMTP) que tenga en el panel se apaga: si lo usa, escríbalo en «smtp» del emisor.'}`,
      theirs: ({ errors }: { errors: readonly string[] }) =>
        `El servicio dice: ${errors.join(' ')} Si la empresa ya existe en su cuenta, repita con --replace: sus datos pasan a ser los de la configuración, y su correo propio (SMTP) se apaga, salvo el que esté en «smtp» del emisor.`,
    }),
  ],
  signature: [
    ({ certificate }: { certificate?: { owner: string; until: string } | null }) =>
      `Firma electrónica${certificate ? ` de ${certificate.owner}, vale hasta el ${certificate.until}` : ''}`,
    forms('Súbala con «facturapuente install --signature firma.p12».', {
      ...asked,
      unread,
      'no-password': ({ variable }: { variable: string }) =>
        `Falta la contraseña del .p12: escríbala en la variable de entorno ${variable} o en .env.`,
      password: ({ reason, variable }: { reason: string; variable: string }) =>
        `${reason} Revise ${variable}.`,
      file: ({ reason }: { reason: string }) =>
        `${reason} Pida a su certificadora una firma vigente en archivo .p12.`,
      'other-ruc': ({ holder, theirs, ruc }: { holder: string; theirs: string; ruc: string }) =>
        `El certificado de ${holder} es del RUC ${theirs} y el emisor es ${ruc}: use la firma del emisor o corrija su RUC.`,
      unsent: ({ namesRuc }: { namesRuc: boolean }) =>
        `${namesRuc ? '' : 'El certificado no nombra un RUC. '}Todavía no se ha subido.`,
      'no-company': noCompany,
      none: () =>
        'No se ha subido desde aquí. Si no está ya en el panel del servicio, nombre el .p12 en «signature» del emisor o use --signature, y repita.',
      expired: () => `Caducó: ninguna factura se puede firmar. Renuévela ${withNew}`,
      soon: ({ days }: { days: number }) =>
        `Caduca en ${days === 1 ? '1 día' : `${days} días`}: renuévela ${withNew}`,
    }),
  ],
  logo: [
    'Logo',
    forms('Súbalo con «facturapuente install --logo logo.png».', {
      ...asked,
      unread,
      'no-company': noCompany,
      unsent: () => 'Todavía no se ha subido.',
    }),
  ],
  production: [
    'Producción (ambiente 2)',
    'Cada factura tendrá valor tributario y gastará un crédito. Si es lo que quiere, confírmelo con «facturapuente install --production».',
  ],
  series: [
    ({
      series = '',
      store = '',
      first,
      firstCreditNote,
    }: {
      series?: string;
      store?: string;
      first?: number;
      firstCreditNote?: number;
    }) =>
      series
        ? `Serie ${series} de la tienda «${store}»: facturas desde ${first}, notas de crédito desde ${firstCreditNote}`
        : 'Desde qué número numera la tienda.',
    ({ reason, setting = 'series.first o series.firstCreditNote' }: { reason?: string; setting?: string }) =>
      `${reason === undefined ? 'Si está detenida, e' : `Está detenida: ${reason} E`}scriba un número libre en ${setting} y reinicie «facturapuente start».`,
  ],
} satisfies Readonly<Record<string, Message>>;

/** Their codes are those of the alerts about the same. */
export const accountChecks = {
  'account-api-key': ['Clave de API', forms(alerts.entries['account-api-key'][1], asked)],
  'account-credits': [
    ({ credits }: { credits?: string }) => `Créditos${credits === undefined ? '' : ` (${credits})`}`,
    alerts.entries['account-credits'][1],
  ],
  'account-provider-data': [
    'Datos de proveedor ante el SRI',
    ({ notice }: { notice?: string }) =>
      `${alerts.entries['account-provider-data'][1]}${notice === undefined ? '' : ` El servicio dice: ${notice}`}`,
  ],
  'account-service': [
    'Estado del servicio y del SRI',
    forms(alerts.entries['account-service'][1], {
      silent: () => 'El servicio no dice cómo está; si las facturas salen, no es nada.',
      states: ({ service, reception, authorization }: Record<string, string | null>) => {
        const parts = {
          servicio: service,
          'recepción del SRI': reception,
          'autorización del SRI': authorization,
        };
        const bad = Object.entries(parts).flatMap(([name, word]) => (word ? [`${name}: ${word}`] : []));
        return `${bad.join(', ')}. No hay que hacer nada: lo que espera sale solo cuando vuelva.`;
      },
    }),
  ],
  'account-clock': [
    formsOf('Reloj de esta máquina', {
      service: () => 'Reloj de esta máquina frente al del servicio',
      database: () => 'Reloj de esta máquina frente al de PostgreSQL',
      shop: () => 'Reloj de la tienda',
    }),
    forms(alerts.entries['account-clock'][1], {
      silent: () => 'El servicio no dice su hora; no se pudo comparar.',
      service: ({ seconds, tolerance }: { seconds: number; tolerance: number }) =>
        `El de esta máquina ${apart(seconds)}: sincronícelo (NTP). Desde ${tolerance} s se rechazan los avisos del servicio, y a medianoche las facturas llevarían otro día.`,
      database: ({ seconds }: { seconds: number }) =>
        `El de esta máquina ${apart(seconds)}: sincronice ambos (NTP). Se trabaja con la hora de PostgreSQL, que va en los documentos.`,
      shop: ({ minutes }: { minutes: number }) =>
        `El reloj de la tienda está ${Math.abs(minutes)} minutos ${minutes > 0 ? 'adelantado' : 'atrasado'} frente al de esta máquina: sincronice ambos (NTP).`,
    }),
  ],
} satisfies Readonly<Record<string, Message>>;
