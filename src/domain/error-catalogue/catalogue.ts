import { alerts } from './alerts.ts';
import { documents } from './documents.ts';
import type { Entry, Group } from './entry.ts';
import { holds } from './holds.ts';
import { keeping } from './keeping.ts';
import { shops } from './shops.ts';

const itSays = 'Haga lo que dice la línea de abajo.';

/** The checks of install and doctor; each finding has its own resolution, with the data of the case. */
const findings: Group = {
  title: 'Lo que miran install y doctor',
  seen: 'Cada línea de `install` y `doctor`; el código está en `--json`. El estado puede ser ok, missing, differs, warning o problem.',
  entries: {
    config: ['La configuración se puede usar.', itSays],
    environment: [
      'DATABASE_URL o REDIS_URL está definida y no cuenta: la configuración dice otro lugar.',
      itSays,
    ],
    'public-url': [
      'La dirección pública lleva a esta instalación.',
      'Una dirección https que llegue al puerto; de esta misma máquina solo sirve para probar.',
    ],
    'public-url-reach': [
      'En la dirección pública responde esta instalación.',
      'Inicie start, y revise proxy y firewall.',
    ],
    'trusted-proxies': [
      'El proxy de la dirección pública está en trustedProxies.',
      'Escriba ahí la red desde la que llama.',
    ],
    'second-factor': [
      'Quien puede cambiar algo en el panel entra también con un código.',
      'Quite panel.secondFactor: off.',
    ],
    'law-tables': ['Las tablas de la norma se compararon con sus fuentes hace menos de un año.', itSays],
    'tax-rules': ['Las reglas de la tienda dan códigos de IVA y de ICE que se pueden declarar hoy.', itSays],
    'rimpe-popular': [
      'El emisor es negocio popular del RIMPE, que por ese régimen emite notas de venta y no facturas.',
      'Compruebe en su RUC que lo que vende es de otra actividad (docs/config.md).',
    ],
    start: ['start está en marcha.', 'Inícielo.'],
    ledger: ['El registro responde.', itSays],
    redis: ['Redis responde.', itSays],
    'file-rights': [
      'Nadie más en la máquina puede leer configuración, secretos y registro.',
      'Quite el permiso con el chmod que se muestra.',
    ],
    rights: ['Las claves de la tienda pueden leer y escribir.', itSays],
    reconciliation: [
      'Hasta cuándo están revisados los pedidos de la tienda.',
      'start debe estar en marcha, y la tienda responder.',
    ],
    'shop-breaker': [
      'Una tienda no responde: lo suyo espera y se prueba sola cada pocos minutos.',
      'Revise su sitio o su hosting; lo que espera sigue cuando responda.',
    ],
    'shop-identity': [
      'Qué tienda responde, y por qué direcciones se la conoce.',
      'Si está retenida, «store confirm»; si la tienda no dice cuál es, actualice WooCommerce.',
    ],
    job: [
      'Un trabajo falló diez veces seguidas, o durante seis horas; se sigue intentando.',
      'Corrija la causa que dice; explain cuenta lo demás del pedido.',
    ],
    alert: ['Un aviso que dura.', 'Vea su código en Avisos.'],
    clock: ['El reloj va igual que el del servicio, o el de la tienda.', 'Ponga la hora con NTP.'],
    'server-clock': ['El reloj va igual que el de PostgreSQL.', 'Ponga la hora con NTP en ambas máquinas.'],
    'service-status': ['Estado del servicio y del SRI.', 'Si están caídos, espere: los documentos también.'],
    deliveries: ['Los avisos del servicio llegan.', itSays],
    'service-webhook': [
      'El webhook del servicio lleva a esta instalación.',
      'install lo pone; con --replace, también sobre el de otro.',
    ],
    'api-key': ['La clave API sirve.', 'Copie la vigente del panel del servicio.'],
    credits: ['Créditos de la cuenta.', 'Recargue en el panel del servicio.'],
    'provider-data': [
      'Datos de proveedor aprobados, que producción exige.',
      'Regístrelos en el panel del servicio.',
    ],
    company: [
      'La empresa está registrada en el servicio como en la configuración.',
      'install la registra; con --replace reemplaza otra.',
    ],
    signature: ['La firma electrónica vale y se subió.', 'install --signature FIRMA.p12.'],
    logo: ['El logo se subió.', 'install --logo LOGO.png.'],
    production: ['Producción está confirmada.', 'install --production.'],
    series: ['De qué número en adelante numera la tienda.', itSays],
    shop: ['La API de la tienda responde.', itSays],
    version: ['La versión de WooCommerce sirve.', 'Actualícela.'],
    currency: ['La tienda vende en dólares.', 'Cámbielo en WooCommerce, Ajustes.'],
    taxes: [
      'La tienda calcula impuestos, o policy.tax dice el IVA de lo que no los trae.',
      'Actívelos en WooCommerce, Ajustes, General; o escriba policy.tax.untaxed.',
    ],
    decimals: [
      'Los precios de la tienda tienen dos decimales.',
      'Cámbielo en WooCommerce, Ajustes, General.',
    ],
    cron: ['La tienda ejecuta sus tareas programadas.', 'Active un cron de verdad en su hosting.'],
    plugin: ['El plugin de facturapuente está en la tienda.', itSays],
    'company-field': [
      'Los pedidos con el RUC de una sociedad traen su razón social.',
      'Muestre el campo de la empresa en la página de pago, o instale el plugin (docs/woocommerce-plugin.md).',
    ],
    'id-field': [
      'Los pedidos traen cédula o RUC, o el plugin los pide.',
      'Instale el plugin (docs/woocommerce-plugin.md), o nombre su campo en idSources.',
    ],
    access: ['Shopify deja entrar a la app.', itSays],
    scopes: [
      'La app tiene los permisos que hacen falta.',
      'Publique el TOML que escribe install, y acéptelo en la tienda.',
    ],
    webhooks: ['Los webhooks de la app llevan a esta instalación.', 'Publique el TOML que escribe install.'],
    definitions: ['Los campos de factura en los pedidos de Shopify.', 'install los crea.'],
    keys: ['Claves de la API de la tienda.', 'Abra el enlace que muestra install.'],
    'api-access': ['La tienda está configurada sin API.', 'Quite apiAccess: false si se puede.'],
  },
};

/** ConfigError: about the installation, not an order. */
export const setup: Group = {
  title: 'Configuración e instalación',
  seen: 'En la terminal y en los endpoints de los comandos (`error`), para quien instala.',
  entries: {
    'config-missing': ['No hay configuración en la carpeta.', 'Créela con init, o indíquela con --config.'],
    'config-unreadable': [
      'El archivo no se puede leer, o no es YAML ni JSON.',
      'Corrija la línea que se nombra.',
    ],
    'config-invalid': [
      'La configuración tiene datos equivocados; se listan todos.',
      'Corrija cada ruta (docs/config.md).',
    ],
    'platform-empty': [
      'Un módulo de platforms no exporta ninguna plataforma.',
      'Exporte la que hace definePlatform (docs/adapters.md).',
    ],
    'platform-unreadable': [
      'Un módulo de platforms no se pudo cargar.',
      'Revise la ruta, o instale el paquete.',
    ],
    'production-unconfirmed': [
      'Una tienda emitiría en producción y nadie lo ha confirmado.',
      'Si es lo que quiere, «install --production»; si no, ambiente: 1.',
    ],
    'sandbox-missing': [
      'El comando viene con el paquete facturapuente-sandbox, que no está instalado.',
      'npm install --save-dev facturapuente-sandbox.',
    ],
    'secret-missing': [
      'Con PostgreSQL falta secret.',
      'Genere uno con «openssl rand -base64 32» y póngalo en FACTURAPUENTE_SECRET.',
    ],
    'secret-changed': [
      'secret no es el que protegió el registro.',
      'Use el contenido de secret.key, o consérvelo en oldSecrets.',
    ],
    'secret-damaged': ['secret.key está dañado.', 'Recupérelo de un respaldo (docs/upgrade.md).'],
    'port-unusable': ['El puerto está ocupado o no se puede usar.', 'Elija otro con --port o port.'],
    'tracing-missing': [
      'tracing.enabled pide OpenTelemetry, que no está instalado.',
      'Ejecute el npm install que se indica.',
    ],
    'unknown-store': [
      'No hay una tienda con ese nombre, o start arrancó sin ella.',
      'Revise el nombre; reinicie start.',
    ],
    'which-store': ['Hay varias tiendas y no se dijo cuál.', 'Indíquela con --store.'],
    'store-count': ['El archivo de «store add» no tiene exactamente una tienda.', 'Deje una.'],
    'store-file': ['El archivo de «store add» no se pudo leer.', 'Revise la ruta.'],
    'store-busy': ['La tienda tiene comprobantes en camino.', 'Espere a que terminen y repita.'],
    'store-raced': ['Alguien más cambió la tienda a la vez.', 'Repita.'],
    'shop-twice': [
      'La tienda que se agrega es la misma que la de otra, o una copia de ella.',
      'Use la que ya está, o quítela primero con «store remove».',
    ],
    'shop-not-held': ['La tienda no está retenida.', 'Nada.'],
    'confirm-other': [
      'Lo que se confirma no responde a lo que pasa.',
      'Use una de las respuestas que se indican.',
    ],
    'no-api': ['La tienda no tiene acceso a su API.', 'Complete su conexión con install.'],
    'no-catalog': [
      'La plataforma de la tienda no da a conocer sus productos.',
      'Revise los pedidos con rehearse.',
    ],
    'no-install': ['La plataforma de la tienda no tiene nada que instalar o quitar desde aquí.', 'Nada.'],
    'install-files': [
      '--signature y --logo son de un solo emisor y hay varios.',
      'Nombre una tienda con --store, o escríbalos en el emisor.',
    ],
    'init-answer': ['Una respuesta de init no sirve.', 'Corríjala como se indica.'],
    'init-missing': ['Faltan respuestas de init.', 'Délas como opciones.'],
    'init-exists': ['Ya hay una configuración.', 'Cámbiela a mano, o use --force.'],
    'init-no-terminal': [
      'No hay terminal en la que preguntar.',
      'Dé las respuestas como opciones, con --yes.',
    ],
    'init-stopped': ['Se detuvo antes de terminar; no se escribió nada.', 'Repita.'],
    'password-short': ['La contraseña tiene menos de 12 caracteres.', 'Elija una más larga.'],
    'password-long': ['La contraseña ocupa más de 128 bytes.', 'Elija una más corta.'],
    'move-from': ['El registro ya está en PostgreSQL.', 'Nada: solo se mueve una carpeta.'],
    'code-unknown': ['Nadie usa ese código.', 'Búsquelo en docs/errors.md.'],
    'buyer-missing': ['No se dijo de qué comprador.', 'Indíquelo con --email, --phone o --order.'],
    'unknown-request': ['No hay una solicitud de un comprador con ese número.', 'Mire «privacy list».'],
    'request-done': ['La solicitud ya se cumplió.', 'Nada.'],
  },
};

/** Differences that a day's close reports. */
const closing: Group = {
  title: 'Diferencias del cierre del día',
  seen: 'En `close` y en la página del cierre, para quien lleva las cuentas. La frase nombra pedido y número.',
  entries: {
    'order-without-document': [
      'Un pedido pagado no tiene factura ni motivo para no tenerla.',
      'explain PEDIDO; sync si el registro no lo conoce.',
    ],
    'refund-without-document': ['Un reembolso no tiene nota de crédito ni motivo.', 'explain PEDIDO.'],
    'document-without-order': [
      'Una factura es de un pedido que la tienda ya no tiene, o que está cancelado.',
      'Recupere el pedido o registre su reembolso; si la venta no existió, emita la nota de crédito.',
    ],
    'document-without-refund': [
      'Una nota de crédito es de un reembolso que ya no está.',
      'Averigüe en la tienda si se borró, y decida con su contador.',
    ],
    'document-removed': [
      'Falta en el registro un documento que el servicio tiene.',
      'Alguien cambió el registro: restaure un respaldo (docs/upgrade.md).',
    ],
    'missing-at-service': [
      'El registro la da por autorizada y el servicio no la tiene.',
      'Compruebe su clave de acceso en el portal del SRI.',
    ],
    'state-differs': [
      'El registro y el servicio dicen estados distintos.',
      'Compruebe su clave de acceso en el portal del SRI; si está autorizada, adopt.',
    ],
    'document-annulled': [
      'Alguien anuló el documento en el portal del SRI y la tienda todavía cuenta la venta.',
      'Registre en la tienda la devolución o la cancelación, o emita a mano otro documento.',
    ],
    'amount-differs': [
      'Los montos no son iguales.',
      'Compare los tres; avise al soporte técnico con support-bundle.',
    ],
    'unknown-in-series': [
      'El servicio tiene en esta serie un documento que no es de aquí.',
      'Busque qué otro sistema usa el punto de emisión.',
    ],
    'unknown-on-order': [
      'El servicio tiene un documento con la referencia de un pedido que aquí no consta.',
      'adopt, o restaure un respaldo.',
    ],
    'authorized-twice': [
      'Una venta tiene dos documentos autorizados.',
      'Anule uno en el portal del SRI, con su contador.',
    ],
    'document-of-other-sale': [
      'El documento es anterior al pedido que hoy lleva su número: la tienda se restauró y dio el número otra vez.',
      'Vea qué venta está facturada y emita a mano la otra.',
    ],
    'key-not-on-order': [
      'El pedido ya no lleva la clave de su documento, que sigue autorizado.',
      'No emita otro: la tienda se restauró de un respaldo, o alguien quitó la clave.',
    ],
    'sale-passed-over': [
      'Un pedido se pagó cuando el registro ya trabajaba para su tienda y quedó fuera por anterior al inicio.',
      'Escriba en la configuración invoiceFrom con ese día, y sync --since con el mismo.',
    ],
    'credits-differ': [
      'Los créditos que gastó la cuenta no son los documentos que se autorizaron en producción.',
      'Vea su historial en el panel del servicio: otro sistema puede emitir con la misma cuenta.',
    ],
    'rounding-difference': [
      'El servicio autorizó el documento por un centavo más o menos: redondeó el IVA a su manera.',
      'Nada: vale lo autorizado. No hace que el día no cuadre.',
    ],
    'number-gap': [
      'Falta un número y no hay un motivo registrado.',
      'Búsquelo en el servicio y en el portal del SRI.',
    ],
  },
};

const asItCame = 'Entregue el JSON tal como lo da la plataforma (docs/cli.md, plan).';

/** PayloadError: bytes that are not what was expected. */
export const reading: Group = {
  title: 'Datos que no se pueden leer',
  seen: 'En `plan`, y en el registro de líneas cuando una tienda los envía.',
  entries: {
    'not-an-order': ['No es un pedido de WooCommerce.', asItCame],
    'order-unreadable': [
      'Un dato del pedido de WooCommerce no se puede leer; la frase lo nombra.',
      'Corrija ese dato, o revise si un plugin cambia los pedidos de la API.',
    ],
    'not-refunds': ['No son reembolsos de WooCommerce, o un dato suyo no se puede leer.', asItCame],
    'refund-of-another-order': ['El reembolso es de otro pedido.', 'Entregue solo los de este.'],
    'shopify-not-an-order': ['No es un pedido de Shopify.', asItCame],
    'shopify-order-unreadable': [
      'Un dato del pedido de Shopify no se puede leer; la frase lo nombra.',
      'Entregue el pedido tal como lo da Shopify, o revise qué aplicación cambia ese dato.',
    ],
    'shopify-not-refunds': ['No son reembolsos de Shopify, o un dato suyo no se puede leer.', asItCame],
    'shopify-refund-without-order': ['El reembolso no trae su pedido, o no se puede leer.', asItCame],
    'shopify-refund-of-another-order': ['El reembolso es de otro pedido.', 'Entregue solo los de este.'],
    'plan-input': ['Lo que se dio a plan no alcanza o no se entiende.', 'Haga lo que dice la frase.'],
    'as-if-authorized': [
      'El número o la fecha de --as-if-authorized no se entienden.',
      'Escríbalos como 001-001-000000123,2026-11-20.',
    ],
    'order-identity': [
      'La tienda respondió con otro pedido, o con el de otra tienda; no se guardó nada.',
      'Revise url y los plugins de la tienda.',
    ],
  },
};

/** Refusals to an assistant, which reads the same sentences. */
export const assistant: Group = {
  title: 'Asistente (MCP)',
  seen: 'Como respuesta de una herramienta, para el asistente y quien habla con él.',
  entries: {
    'tool-unknown': ['No existe una herramienta con ese nombre.', 'Use una de las que se ofrecen.'],
    'tool-input': ['La herramienta no entiende lo que recibió.', 'Corrija los campos que se nombran.'],
    'store-unknown': [
      'La tienda del pedido ya no está en la configuración.',
      'Añádala otra vez, o use otro pedido.',
    ],
    'order-unread': [
      'La tienda no tiene ese pedido, o no da acceso a su API.',
      'Revise el número, o complete la conexión.',
    ],
    'plan-unknown': [
      'Nadie mostró un plan con ese id.',
      'Pida primero el plan, muéstrelo, y ejecute después con su id.',
    ],
    'plan-used': ['El plan ya se ejecutó, o se está ejecutando.', 'Pida otro.'],
    'plan-expired': ['El plan venció.', 'Pida otro y muéstrelo.'],
    'plan-changed': ['Lo que se mostró cambió desde entonces; no se hizo nada.', 'Pida el plan otra vez.'],
    'plan-production': [
      'El asistente no puede escribir en producción.',
      'Hágalo en el panel o la terminal, o permítalo con mcp.allowProduction.',
    ],
  },
};

/** Every code the product shows, by origin; test/docs/errors.test.ts compares it with the sources. */
export const catalogue: readonly Group[] = [
  holds,
  documents,
  alerts,
  closing,
  shops,
  setup,
  keeping,
  reading,
  assistant,
  findings,
];

/** The meaning of a code in each group that has it. */
export function lookUp(code: string): { title: string; entry: Entry }[] {
  return catalogue.flatMap(({ title, entries }) => {
    const entry = Object.hasOwn(entries, code) ? entries[code] : undefined;
    return entry ? [{ title, entry }] : [];
  });
}
