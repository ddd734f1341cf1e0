import { alerts } from './alerts.ts';
import { forms, formsOf, type Message, say } from './message.ts';
import { shops } from './shops.ts';

const general = 'WooCommerce → Ajustes → General';
const plugin = 'docs/woocommerce-plugin.md';
const overHttp = ({ http }: { http: boolean }) =>
  http
    ? ' Con una dirección http, WooCommerce no las entrega: sírvala por https, o escriba en la configuración «consumerKey» y «consumerSecret».'
    : '';

export interface Deployed {
  app: string;
}

/** `shopify app deploy --config <app id>` finds the file by this name. */
export const tomlName = (app: string): string => `shopify.app.${app}.toml`;
const publish = ({ app }: Deployed) => `Publíquelo con «shopify app deploy --config ${app}».`;

const accept = ({ link }: { link: string | null }) =>
  link === null ? 'Abra la app en la tienda y acepte los permisos nuevos.' : `Abra ${link} y acéptelos.`;

export const shopChecks = {
  shop: [
    'API de la tienda',
    'Ábrala en su navegador: si no carga, consulte a su hosting. Si la tienda responde y su API no, la línea nombra la causa.',
  ],
  'shop-identity': [
    ({ identity = '' }: { identity?: string }) => `Identidad de la tienda${identity && `: ${identity}`}`,
    forms(
      'Si la tienda no dice cuál es, actualice WooCommerce; si está retenida, decida con «facturapuente store confirm».',
      {
        unstated: () =>
          'La tienda no dice cuál es, y solo se la reconoce por su dirección: si esta cambia, empieza como otra tienda. Actualice WooCommerce.',
        addresses: ({ addresses }: { addresses: readonly string[] }) =>
          `Se la conoce por estas direcciones: ${addresses.join(', ')}.`,
      },
    ),
  ],
  'shop-settings': [
    formsOf('La tienda vende en dólares, con dos decimales, y calcula impuestos.', {
      currency: () => 'Moneda de la tienda',
      decimals: () => 'Decimales de los precios',
      taxes: () => 'Impuestos de la tienda',
    }),
    forms(
      `Cámbielo en ${general}; si nada de lo que vende lleva IVA, diga su tarifa en policy.tax.untaxed.`,
      {
        currency: ({ currency }: { currency: string }) =>
          `La tienda cobra en ${currency} y las facturas son en dólares: elija USD en ${general}, o sus pedidos quedarán retenidos.`,
        decimals: ({ decimals }: { decimals: number }) => {
          const change = `escriba 2 en ${general} → Número de decimales`;
          return decimals > 2
            ? `La tienda calcula con ${decimals} decimales y se cobra con dos: ${change}, o los pedidos que no cuadren al centavo quedarán retenidos.`
            : `La tienda redondea precios e IVA a ${decimals === 1 ? '1 decimal' : `${decimals} decimales`}, que no cuadran al centavo: ${change}, o sus pedidos quedarán retenidos.`;
        },
        taxes: () =>
          `Están desactivados: los pedidos no dicen su IVA y quedarán retenidos. Marque «Activar impuestos» en ${general} y escriba la tarifa en la pestaña Impuestos; si nada de lo que vende lleva IVA, diga su tarifa en policy.tax.untaxed.`,
        decided: () => 'Están desactivados: todo se factura con la tarifa que dan sus reglas (policy.tax).',
      },
    ),
  ],
  version: [
    ({ version = null }: { version?: string | null }) =>
      `Versión de WooCommerce${version === null ? '' : ` (${version})`}`,
    forms('Actualice WooCommerce, si es anterior a la 5.8.', {
      unknown: ({ oldest }: { oldest: string }) =>
        `La tienda tarda demasiado en decir su versión: mire en WooCommerce → Estado que sea ${oldest} o más nueva.`,
      old: ({ version, oldest }: { version: string; oldest: string }) =>
        `WooCommerce ${version} no dice qué pedidos cambiaron: actualícelo a ${oldest} o más nuevo.`,
    }),
  ],
  cron: [
    'Tareas programadas de WordPress',
    'Si su hosting no llama a wp-cron.php, los webhooks no salen y los pedidos llegan solo por la búsqueda periódica: active ahí un cron de verdad, o quite DISABLE_WP_CRON.',
  ],
  plugin: [
    ({ version }: { version?: string }) => `Plugin de facturapuente${version ? ` (${version})` : ''}`,
    `Instálelo si la tienda no pide cédula o RUC (${plugin}).`,
  ],
  'buyer-fields': [
    formsOf('Los pedidos traen cédula o RUC, y una sociedad su razón social.', {
      id: () => 'Cédula o RUC en los pedidos',
      company: () => 'Razón social en los pedidos',
    }),
    forms(`Muestre el campo en la página de pago, o instale el plugin (${plugin}).`, {
      id: ({ orders }: { orders: number }) =>
        `${orders === 0 ? 'Todavía no hay pedidos para saberlo' : `Ninguno de los últimos ${orders} pedidos la trae`}: agregue el campo al pago con el plugin (${plugin}); sin él solo se factura a consumidor final hasta su límite. Si la tienda ya tiene un campo suyo, nómbrelo en «idSources».`,
      company: ({ orders, unnamed }: { orders: number; unnamed: number }) =>
        `${unnamed} de los últimos ${orders} pedidos ${unnamed === 1 ? 'trae' : 'traen'} el RUC de una sociedad sin campo con su razón social, y se retienen si tampoco la trae el nombre del comprador: muestre el campo de la empresa en la página de pago, que WooCommerce oculta en tiendas nuevas, o use el plugin, que la pide (${plugin}).`,
    }),
  ],
  access: [
    formsOf('La tienda deja entrar a facturapuente, que puede leer y escribir en ella.', {
      shop: ({ shop }: { shop: string }) => `Acceso a ${shop}`,
      rights: () => 'Permiso de las claves',
      keys: () => 'Claves de la API',
      handed: () => 'Claves que entregó la tienda',
      stored: ({ shop }: { shop: string }) => `Claves de ${shop}`,
      app: () => 'App en la tienda',
      none: () => 'Sin acceso a la API (apiAccess: false)',
    }),
    forms('Abra el enlace que muestra «facturapuente install» y apruebe la conexión.', {
      link: ({ link, http }: { link: string; http: boolean }) =>
        `Apruebe la conexión como administrador de la tienda en este enlace, que vale 24 horas: ${link}${overHttp({ http })}`,
      unconnected: ({ http }: { http: boolean }) =>
        `${say(shops.entries['shop-not-connected'][1])}${overHttp({ http })}`,
      forgotten: () =>
        'Se olvidaron aquí; revóquelas también en WooCommerce → Ajustes → Avanzado → API REST.',
      'by-hand': ({ topics, url }: { topics: readonly string[]; url: string }) =>
        `Cree a mano, en WooCommerce → Ajustes → Avanzado → Webhooks, los webhooks ${topics.join(', ')} hacia ${url} con el secreto de «webhookSecrets».`,
      'delete-by-hand': ({ url }: { url: string }) =>
        `Desde ahora se ignoran sus webhooks; borre los que van a ${url} en WooCommerce → Ajustes → Avanzado → Webhooks.`,
      deploy: ({ app, isWritten }: Deployed & { isWritten: boolean }) =>
        `La app no está instalada en la tienda. ${isWritten ? '' : `Ejecute «facturapuente install» sin --check: escribe ${tomlName(app)}. `}${publish({ app })} Después instale la app en la tienda desde el Dev Dashboard (Home > Install app).`,
      authorize: ({ link }: { link: string }) =>
        `Abra ${link} con la cuenta de la tienda y acepte los permisos.`,
      'still-there': () =>
        'Quítela en la tienda, en Configuración > Apps: hasta entonces sus pedidos pueden seguir facturándose. Lo escrito en los pedidos se queda.',
    }),
  ],
} satisfies Readonly<Record<string, Message>>;

const flaws = {
  disabled:
    'está desactivado: WooCommerce lo apagó porque nuestras respuestas fallaron siete veces seguidas, o alguien lo hizo a mano',
  paused: 'está en pausa',
  elsewhere: 'apunta a otra dirección',
  unsigned: 'no se sabe con qué secreto firma',
  twice: 'está repetido',
};

export type WebhookFlaw = keyof typeof flaws;

/** Their codes are those of the alerts about the same. */
export const shopAlertChecks = {
  'shop-forbidden': [
    'Permisos de la app',
    forms(say(alerts.entries['shop-forbidden'][1]), {
      lacking: ({ missing }: { missing: readonly string[] }) => `Faltan ${missing.join(', ')}.`,
      missing: ({ missing, app, link }: Deployed & { missing: readonly string[]; link: string | null }) =>
        `Faltan ${missing.join(', ')}. ${publish({ app })} ${accept({ link })}`,
      'all-orders': ({
        scope,
        days,
        app,
        link,
      }: Deployed & { scope: string; days: number; link: string | null }) => {
        const request =
          link === null
            ? 'Agréguelo a los permisos de la app y déjela publicada.'
            : 'Pídalo a Shopify en el panel de la app («API access requests»); cuando lo conceda, escriba allOrders: true en la app.';
        return `Falta ${scope}: Shopify oculta los pedidos de más de ${days} días, y lo que se cobre o se devuelva en ellos queda sin factura ni nota de crédito. ${request} ${publish({ app })} ${accept({ link })}`;
      },
    }),
  ],
  'shop-installation': [
    formsOf('Lo que «facturapuente install» pone en la tienda', {
      webhook: ({ topic }: { topic: string }) => `Webhook ${topic}`,
      webhooks: () => 'Avisos de la tienda (webhooks)',
      fields: () => 'Campos de la factura en el pedido',
    }),
    forms('Ejecute «facturapuente install», que lo deja bien.', {
      declared: ({ app }: Deployed) => `Los declara ${tomlName(app)}. ${publish({ app })}`,
      twice: ({ topics }: { topics: readonly string[] }) =>
        `La tienda tiene además suscripciones propias hacia aquí (${topics.join(', ')}): cada aviso llega dos veces, sin daño. Quítelas.`,
      'delete-by-hand': () =>
        'Borre a mano los webhooks «facturapuente …» en WooCommerce → Ajustes → Avanzado → Webhooks.',
      missing: () => 'Falta en la tienda: ejecute «facturapuente install», que lo deja bien.',
      wrong: ({ flaw }: { flaw: WebhookFlaw }) =>
        `El webhook ${flaws[flaw]}: ejecute «facturapuente install», que lo deja bien.`,
      replaced: ({ flaw }: { flaw: WebhookFlaw }) => `El webhook ${flaws[flaw]}; se reemplazó.`,
      fields: ({ missing }: { missing: readonly string[] }) =>
        `Faltan ${missing.join(', ')}; «facturapuente install» los crea.`,
      refused: ({ problems }: { problems: readonly string[] }) =>
        `Shopify no aceptó todo: ${problems.join(', ')}. La factura se escribe igual, pero puede no verse en el pedido.`,
    }),
  ],
  'reconciliation-behind': [
    ({ store = '', until, unfinished = '' }: { store?: string; until?: string; unfinished?: string }) =>
      `Pedidos de la tienda${store && ` «${store}»`} revisados${until ? ` hasta ${until}` : ''}${unfinished && `; sin terminar: ${unfinished}`}`,
    forms(say(alerts.entries['reconciliation-behind'][1]), {
      all: ({ hours }: { hours: number }) =>
        `Hace ${hours} h que no se revisa: los pedidos cuyo aviso se perdió no se facturan. Revise que la tienda responda y que «facturapuente start» esté en marcha.`,
      lists: ({ hours, lists, losses }: { hours: number; lists: string; losses: string }) =>
        `Hace ${hours} h que no se logra leer ${lists}: ${losses}. Revise el acceso a la tienda con «facturapuente install --check».`,
    }),
  ],
} satisfies Readonly<Record<string, Message>>;
