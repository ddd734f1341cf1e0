import { byWhy, type Group, goesOn } from './message.ts';

/** The merchant of a WooCommerce shop also looks after hosting and plugins. */
export interface Where {
  platform?: string;
}

const isHosted = ({ platform = 'WooCommerce' }: Where) => platform === 'WooCommerce';
const subject = (where: Where) => (isHosted(where) ? 'La tienda' : where.platform);
const again = 'Se intentará de nuevo.';
const passing = (what: string) => (where: Where) => `${subject(where)} ${what}. ${again}`;
const hosted = (fix: string) => (where: Where) => (isHosted(where) ? fix : goesOn);

const permalinks = 'Ajustes → Enlaces permanentes elija cualquier opción menos «Simple»';

const unauthorized = {
  signature:
    'Revise la clave y el secreto de la API, y que «url» sea la misma dirección que muestra WordPress.',
  'read-only': 'Dé a la clave de la API permiso de lectura y escritura.',
  rights:
    'Revise que las claves sean de un administrador que todavía existe; si la tienda está detrás de un proxy, haga que WordPress sepa que se usa HTTPS; si su servidor quita la cabecera Authorization, active «queryStringAuth».',
  plugin: 'Un plugin de seguridad cierra la API REST de WordPress: permita en él las rutas «wc/v3».',
  'not-installed': 'Instálela desde el Dev Dashboard de Shopify (Home > Install app).',
  'other-owner': 'La app no pertenece a la organización de la tienda: créela en la misma cuenta de Shopify.',
  app: 'Shopify no reconoce la app: copie otra vez del Dev Dashboard su Client ID («clientId») y su Client secret (el primero de «clientSecrets»).',
  token:
    'Revise que la app siga instalada, y su Client ID, Client secret o token («clientId», «clientSecrets», «accessToken»).',
};

export const shopTwice = [
  ({
    store,
    address,
    reason,
    shop,
  }: {
    store?: string;
    address?: string;
    reason?: string;
    shop?: string;
  }): string => {
    if (address)
      return `En ${address} responde la misma tienda que la de «${store}»${shop ? ` (${shop})` : ''}, o una copia de ella: cada pedido se facturaría dos veces.`;
    if (reason)
      return `La tienda «${store}» está retenida: no se lee, no se emite y no se escribe nada por ella. ${reason}`;
    return 'Dos tiendas de la configuración son la misma, y cada pedido se facturaría dos veces.';
  },
  'Deje una sola de las dos: quite la otra con «store remove» o de la configuración.',
] as const;

/** Codes of ShopError. Retryable ones are tried again automatically. */
export const shops = {
  title: 'Tiendas que no responden como deben',
  seen: 'En el registro de líneas, en `install`, `doctor` y `sync`, y en los avisos de la tienda.',
  entries: {
    'store-uninstalled': [
      'La tienda está desinstalada: nada nuevo de ella se lee ni se factura; lo que ya tenía número se termina de emitir.',
      ({ store = 'TIENDA' }: { store?: string | undefined }) =>
        `Para ponerla otra vez en marcha, también con sus pedidos de mientras tanto: «facturapuente install --store ${store}».`,
    ],
    'shop-not-connected': [
      ({ shop = '', lost = false }: { shop?: string; lost?: boolean }) =>
        lost
          ? `La tienda${shop && ` ${shop}`} dejó de aceptar el acceso de facturapuente.`
          : `La tienda${shop && ` ${shop}`} todavía no está conectada.`,
      ({ platform, shop = 'TIENDA' }: Where & { shop?: string }) =>
        platform === 'Shopify'
          ? `Abra /shopify/auth?shop=${shop} en esta instalación y acepte los permisos.`
          : 'Ejecute «facturapuente install» y abra el enlace que muestra.',
    ],
    'shop-unauthorized': [
      ({ shop = '', why }: { shop?: string; why?: keyof typeof unauthorized }) =>
        why === 'not-installed'
          ? `La app no está instalada en ${shop}.`
          : `La tienda${shop && ` ${shop}`} no acepta el acceso de facturapuente.`,
      ({ why }: { why?: keyof typeof unauthorized }) =>
        why === undefined
          ? 'Revise sus claves, o conéctela otra vez: «facturapuente install --store TIENDA».'
          : unauthorized[why],
    ],
    'shop-forbidden': [
      ({ what = 'facturar', scopes = [] }: { what?: string; scopes?: readonly string[] }) =>
        `Para ${what}, a la app le falta permiso en la tienda${scopes.length > 0 ? `: ${scopes.join(', ')}` : ''}.`,
      'Agréguelo a los permisos de la app, publíquela y acéptelos en la tienda.',
    ],
    'shop-closed': [
      ({ shop = '', state = 'suspendida o bloqueada' }: { shop?: string; state?: string }) =>
        `Shopify tiene ${state} la tienda${shop && ` ${shop}`}. Se mira otra vez cada hora.`,
      'Resuélvalo en su cuenta de Shopify.',
    ],
    'shop-refused': byWhy(
      [
        'La tienda no aceptó la consulta.',
        'Revise su dirección («url», «shop») y los plugins que cambian su API.',
      ],
      {
        'no-woocommerce': [
          'En esta dirección no responde la API de WooCommerce.',
          'Active el plugin WooCommerce (versión 5.8 o posterior); si la tienda está en otra carpeta, escríbala en «url».',
        ],
        plugin: [
          'La tienda no aceptó la consulta a su API.',
          'Actualice WooCommerce y revise si un plugin cambia su API.',
        ],
        server: [
          'El servidor de la tienda rechazó la consulta antes de llegar a WordPress.',
          'Consulte a su hosting.',
        ],
        order: [
          'WooCommerce falló al atender la consulta, y fallaría otra vez.',
          'Revise el pedido en la tienda, y el registro de errores de WordPress.',
        ],
        address: [
          ({ shop = '' }: { shop?: string }) =>
            `Shopify no encuentra la tienda${shop && ` ${shop}`}, o la versión de su API.`,
          'Revise su dirección («shop») y «apiVersion».',
        ],
        query: ['Shopify rechazó una consulta.', 'Avise al soporte técnico.'],
        write: [
          'Shopify no aceptó los datos de la factura en el pedido.',
          'Ejecute «facturapuente install --store TIENDA»; si se repite, avise al soporte técnico.',
        ],
      },
    ),
    'shop-answer': [
      ({ platform = 'WooCommerce', problem = '', path = '' }: Where & { problem?: string; path?: string }) =>
        `${subject({ platform })} respondió${path && ` a ${path}`} con datos que no se pueden leer${problem && `: ${problem}`}.`,
      (where: Where) =>
        isHosted(where) ? 'Revise si un plugin cambia la API de WooCommerce.' : 'Avise al soporte técnico.',
    ],
    'shop-mixed-up': [
      ({ platform = 'WooCommerce', isChanging }: Where & { isChanging?: boolean }) => {
        const other = `${subject({ platform })} respondió con datos de otro pedido`;
        const general = `${other}, o el pedido cambió mientras se leía`;
        const what = isChanging
          ? 'El pedido cambió mientras se leía'
          : isChanging === false
            ? other
            : general;
        return `${what}. No se usó nada y se leerá de nuevo.`;
      },
      hosted('Si se repite, excluya /wp-json/ de la caché del hosting o del plugin.'),
    ],
    'shop-not-json': [
      passing('respondió con una página en vez de datos'),
      ({ platform = 'WooCommerce', isWrite = false }: Where & { isWrite?: boolean }) =>
        isHosted({ platform })
          ? `Desactive el modo de mantenimiento o «próximamente» cuando termine${isWrite ? `, y en ${permalinks}` : ''}.`
          : goesOn,
    ],
    'shop-blocked': byWhy(
      [
        'Un firewall, un CDN o una contraseña cierra el paso a la API.',
        'Permita «/wp-json/wc/v3/» para «facturapuente».',
      ],
      {
        password: [
          'El servidor pide una contraseña antes de llegar a WordPress (sitio de pruebas protegido).',
          'Quite esa protección de «/wp-json/».',
        ],
        firewall: [
          `El firewall o CDN de la tienda bloquea las consultas. ${again}`,
          'Permita en él «/wp-json/wc/v3/» para «facturapuente».',
        ],
      },
    ),
    'shop-permalinks': [
      'La API de WordPress no responde en esta dirección.',
      `En ${permalinks}; si ya es así, revise que «url» lleve la carpeta de la tienda.`,
    ],
    'shop-php-output': [
      `Un plugin de la tienda escribe avisos de PHP dentro de las respuestas. ${again}`,
      'Actualice o quite ese plugin; para que los avisos no salgan, en wp-config.php ponga WP_DEBUG_DISPLAY en false.',
    ],
    'shop-failing': [
      passing('falló al responder'),
      hosted('Si se repite, revise el registro de errores de WordPress y el último plugin actualizado.'),
    ],
    'shop-busy': [
      passing('limita por ahora cuántas consultas recibe'),
      hosted('Si se repite, pida a su hosting que permita más a «/wp-json/wc/v3/».'),
    ],
    'shop-redirects': [
      ({ to = 'otra dirección' }: { to?: string | undefined }) => `La tienda redirige a ${to}.`,
      'Escriba en «url» la dirección final de la tienda.',
    ],
    'shop-timeout': [
      passing('tardó demasiado en responder'),
      hosted('Si se repite, pida a su hosting que la haga más rápida, o dele más tiempo: «timeoutMs».'),
    ],
    'shop-certificate': [
      `El certificado HTTPS de la tienda no es válido. ${again}`,
      'Renuévelo en su hosting; si es de otro dominio, corrija «url».',
    ],
    'shop-private': [
      `El dominio de la tienda lleva a una red privada. ${again}`,
      'Corrija su DNS; si la tienda está junto a facturapuente, escriba esa red en «outbound.allow».',
    ],
    'shop-unreachable': [
      ({ platform = 'WooCommerce', reason }: Where & { reason?: string | undefined }) =>
        `${reason === 'ENOTFOUND' ? 'El dominio de la tienda no existe o no responde.' : `No se pudo conectar con ${isHosted({ platform }) ? 'la tienda' : platform}.`} ${again}`,
      ({ platform = 'WooCommerce', reason }: Where & { reason?: string | undefined }) =>
        reason === 'ENOTFOUND'
          ? 'Revise que el dominio esté renovado, y «url».'
          : isHosted({ platform })
            ? 'Si se repite, revise que la tienda esté en línea.'
            : goesOn,
    ],
    'shop-renamed': [
      'La tienda se mudó a esta dirección; enseguida sigue con sus pedidos de siempre.',
      goesOn,
    ],
    'order-too-long': [
      ({ most = 250, list = 'reembolsos o transacciones' }: { most?: number; list?: string }) =>
        `El pedido tiene ${most} o más ${list} y Shopify no entrega el resto.`,
      'Atiéndalo a mano.',
    ],
    // Also a hold and an alert, where the order is read: here nothing is written.
    'order-id-reused': [
      ({ order = '' }: { order?: string }) =>
        `La tienda tiene ahora otro pedido con el id${order && ` ${order}`}: no se escribe nada en él.`,
      goesOn,
    ],
  },
} satisfies Group;
