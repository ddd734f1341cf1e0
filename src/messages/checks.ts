import { type AlertCode, alerts } from './alerts.ts';
import { accountChecks, serviceChecks } from './checks-service.ts';
import { shopAlertChecks, shopChecks } from './checks-shop.ts';
import { errors } from './errors.ts';
import { forms, formsOf, type Group, type Message } from './message.ts';

/** Never the address itself, which holds a password. */
const overrides = {
  'ledger.directory': {
    counts: 'el registro está en la carpeta que dice ledger.directory',
    fix: 'Si debe estar en PostgreSQL, detenga facturapuente start, llévelo con «facturapuente move --to "$DATABASE_URL"» y después quite ledger.directory de la configuración. Si debe seguir en la carpeta, inicie facturapuente sin esa variable.',
  },
  'ledger.url': {
    counts: 'el registro está en la base que dice ledger.url, y la variable dice otra dirección',
    fix: 'En la base de ledger.url están los comprobantes y los números ya dados: inicie facturapuente sin esa variable, o con la misma dirección.',
  },
  'redis.url': {
    counts: 'el trabajo pasa por el Redis que dice redis.url, y la variable dice otra dirección',
    fix: 'Inicie facturapuente sin esa variable o, si debe ser ese Redis, quite redis.url de la configuración en todos los procesos.',
  },
};
type Override = keyof typeof overrides;

/** Nothing is refused: persons without a cédula may have a RUC like a company's. */
export const rimpeCaveats = (looksLikeCompany: boolean): string[] => [
  ...(looksLikeCompany
    ? [
        'El RUC parece de una sociedad, y negocio popular solo puede ser una persona natural: compruebe en el portal del SRI el RUC y el régimen, y corrija el que no sea.',
      ]
    : []),
  'Un negocio popular (RIMPE) emite notas de venta, no facturas, por sus actividades de ese régimen, y una nota de venta no lleva IVA desglosado. Compruebe en su RUC, o con su contador, que lo que vende en la tienda es de otra actividad o que ya no está en ese régimen; si es del régimen, no lo facture con facturapuente.',
];

const machineChecks = {
  config: [
    formsOf('La configuración se puede usar, y ninguna variable de entorno dice otra cosa.', {
      file: ({ file }: { file: string }) => `Configuración ${file}`,
      none: () => 'Configuración',
      variable: ({ variable, setting }: { variable: string; setting: Override }) =>
        `${variable} está definida y no cuenta: ${overrides[setting].counts}`,
    }),
    ({ setting }: { setting?: Override }) =>
      setting === undefined
        ? 'Si DATABASE_URL o REDIS_URL dicen otro lugar, quítelas; de lo demás hay un código propio (config-invalid y otros).'
        : overrides[setting].fix,
  ],
  'public-url': [
    ({ url }: { url?: string }) => `Dirección pública${url === undefined ? '' : ` ${url}`}`,
    forms(
      'Ponga en publicUrl una dirección https que llegue a facturapuente; la de esta misma máquina solo sirve para probar.',
      {
        silent: () =>
          'Nadie responde ahí: inicie «facturapuente start» y revise el dominio, el certificado y el proxy; sin eso la tienda no puede avisar de sus pedidos.',
        other: ({ status }: { status: number }) =>
          `Responde otro programa (${status}): el proxy debe llevar esta dirección entera a facturapuente, sin redirigir.`,
        proxy: () =>
          'El proxy dice por quién habla y no se le cree: todos sus clientes cuentan como uno, y los intentos fallidos de un extraño limitan a los demás. Escriba la red desde la que llama en trustedProxies (docs/operations.md).',
        here: () =>
          'Es esta misma máquina: sirve para probar, pero ninguna tienda de internet puede avisar a ella. Para vender, ponga la dirección https:// de su servidor o de un túnel en publicUrl.',
        plain: () =>
          'Va sin cifrar, y así WooCommerce no entrega sus claves ni Shopify avisa: ponga delante un proxy con certificado y escriba la dirección con https:// en publicUrl.',
        private: ({ host }: { host: string }) =>
          `La dirección ${host} es privada y WordPress no envía nada a ella: use un dominio público en publicUrl.`,
        port: ({ port }: { port: string }) =>
          `WordPress no envía nada al puerto ${port}: sirva por el 443 la dirección de publicUrl.`,
      },
    ),
  ],
  'second-factor': [
    'Verificación en dos pasos del panel',
    'Está desactivada: quien conozca una contraseña puede cambiar lo que se factura. Quite panel.secondFactor: off.',
  ],
  'tax-rules': [
    formsOf('Las reglas y las tablas de impuestos valen hoy, y lo que se vende se factura.', {
      store: ({ store }: { store: string }) => `Reglas de IVA y de ICE de la tienda «${store}»`,
      law: () => 'Tablas de la norma comprobadas hace más de un año',
      rimpe: ({ ruc }: { ruc: string }) => `Negocio popular (RIMPE), RUC ${ruc}`,
    }),
    formsOf('Corrija las reglas en policy de la tienda, o consulte a su contador.', {
      store: ({ rules }: { rules: readonly string[] }) =>
        `${rules.join('; ')}. Los pedidos a los que se apliquen se retienen: corríjalas en policy de la tienda.`,
      law: ({ tables }: { tables: readonly string[] }) =>
        `${tables.join('; ')}. Actualice facturapuente; si ya tiene la última versión, compare «facturapuente law» con lo vigente o con su contador, y avise de lo que cambió.`,
      rimpe: ({ looksLikeCompany }: { looksLikeCompany: boolean }) =>
        rimpeCaveats(looksLikeCompany).join(' '),
    }),
  ],
  start: [
    'facturapuente start',
    ({ port }: { port?: number }) =>
      `No responde${port === undefined ? '' : ` en el puerto ${port}`}: inícielo, si no corre en otra máquina.`,
  ],
  ledger: [
    formsOf('El registro responde, y nadie más en la máquina puede leer sus archivos.', {
      any: () => 'Registro',
      directory: ({ directory }: { directory: string }) => `Registro en ${directory}`,
      postgresql: () => 'Registro en PostgreSQL',
      rights: () => 'Permisos de los archivos',
    }),
    forms('Revise el disco o el servidor PostgreSQL, y los permisos de la carpeta.', {
      'no-answer': () => 'facturapuente start no logra usarlo: revise el disco o el servidor PostgreSQL.',
      'read-only': () =>
        'Se puede leer y no escribir: libere espacio en el disco, o revise por qué el servidor PostgreSQL solo deja leer.',
      writable: ({ file }: { file: string }) =>
        `Otros usuarios de esta máquina pueden cambiar ${file}: quíteles el permiso con «chmod o-w '${file}'».`,
      readable: ({ places }: { places: readonly string[] }) =>
        `Otros usuarios de esta máquina pueden leer ${places.length === 1 ? places[0] : `${places[0]} y ${places.length - 1} más`}: quíteles el permiso con «chmod -R go= ${places.map((place) => `'${place}'`).join(' ')}».`,
    }),
  ],
  redis: [
    'Redis',
    forms('Revise que esté en marcha, y que no borre trabajos: maxmemory-policy noeviction.', {
      silent: () =>
        'No responde: revise que esté en marcha y que redis.url o REDIS_URL sea correcto. Nada se pierde; el trabajo espera en el registro.',
      policy: ({ policy }: { policy: string }) =>
        `Puede borrar trabajos cuando se llene su memoria (maxmemory-policy ${policy}): configure «maxmemory-policy noeviction».`,
    }),
  ],
} satisfies Readonly<Record<string, Message>>;

export const checks = {
  title: 'Lo que miran install y doctor',
  seen: 'Cada línea de `install` y `doctor`; el código está en `--json`. El estado puede ser ok, missing, differs, warning o problem. Una línea puede tener también el código de un aviso o de un error.',
  entries: { ...machineChecks, ...serviceChecks, ...shopChecks },
} satisfies Group;

/** Their codes are those of the alerts about the same. */
const alertChecks = {
  ...accountChecks,
  ...shopAlertChecks,
  'job-keeps-failing': [
    ({ doing = '', subject = '', store = '' }: { doing?: string; subject?: string; store?: string }) =>
      `No se logra ${doing}: ${subject} (${store})`,
    ({
      failures = 0,
      since = '',
      dueAt = '',
      reason = '',
    }: {
      failures?: number;
      since?: string;
      dueAt?: string;
      reason?: string;
    }) =>
      `${failures} intentos desde ${since}; el próximo, ${dueAt}. ${reason} ${alerts.entries['job-keeps-failing'][1]}`,
  ],
} satisfies Partial<Record<AlertCode, Message>>;

/** A code of an alert or an error without a check of its own has its texts. */
const texts = { ...errors, ...alerts.entries, ...checks.entries, ...alertChecks };

export type CheckCode = keyof typeof texts;
export type CheckMessage<C extends CheckCode> = (typeof texts)[C];

export const lasting = (what: string, since: string): string => `${what} (desde ${since})`;

export const putThere = 'faltaba y se puso.';

export const checkMessage = (code: string): Message | undefined =>
  Object.hasOwn(texts, code) ? texts[code as CheckCode] : undefined;
