/** The settings of one run. */
export interface Settings {
  /** `https://servicio.example` or with a path before `/api`. */
  baseUrl: string;
  apiKey: string;
  /** Another account's key, to see that keys only see their own documents. */
  secondKey?: string;
  /** The issuer block without date, series and number. */
  emisor: Readonly<Record<string, unknown>> & { ruc: string };
  /** Where the documents of the run are numbered: a point of emission nothing else uses. */
  series: { establecimiento: string; puntoEmision: string };
  /** How long to wait for a state or a delivery. */
  waitSeconds: number;
  /**
   * Permission to change the account's webhook for the length of the run: to somebody's URL, or to a receiver
   * of our own on `listen` (0 takes a free port), reached under `publicUrl`.
   */
  webhook?: { url: string } | { listen: number; publicUrl?: string };
  /** Permission to create and edit the company of this RUC, provided the account has none under it. */
  companyRuc?: string;
  /** Permission to create an identity verification, which may cost money. */
  withVerification: boolean;
  /** Permission to burn a minute and 300 requests. */
  withRateLimit: boolean;
}

/** A fictional issuer for the sandbox; a real service knows only companies registered in its account. */
export const exampleIssuer = {
  nombre_comercial: 'Tienda de Prueba',
  razon_social: 'EMISOR DE PRUEBA S.A.',
  ruc: '1792146739001',
  direccion_matriz: 'Av. Prueba 123, Quito',
  direccion_establecimiento: 'Av. Prueba 123, Quito',
  obligado_contabilidad: 'SI',
} as const;

/** Synthetic RUCs of natural persons with correct check digits, of no person. For bodies that must be refused. */
export const exampleCompanyRuc = '2459999997001';
export const unknownCompanyRuc = '1759999996001';
