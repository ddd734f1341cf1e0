import type { Group } from './message.ts';

const itSays = 'Haga lo que dice la línea de abajo.';

/** The checks of install and doctor; each finding has its own resolution, with the data of the case. */
export const checks = {
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
} satisfies Group;
