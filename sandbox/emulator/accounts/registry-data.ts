/** What the tax authority's registry says about a RUC (assumption A24). */
export interface Taxpayer {
  ruc: string;
  razon_social: string;
  nombre_comercial: string;
  estado: 'ACTIVO' | 'SUSPENDIDO';
  tipo_contribuyente: 'SOCIEDAD' | 'PERSONA NATURAL';
  obligado_contabilidad: 'SI' | 'NO';
  actividad: string;
}

/** Numbers that make the registry behave; all of them are structurally valid. */
export const magicNumbers = {
  /** Nobody is registered under these. */
  unknown: ['1790000000001', '1700000001'],
  /** For these the registry does not answer. */
  down: ['1790000001001', '1700000019'],
} as const;

/** Made-up taxpayers under the numbers that the examples use. */
export const taxpayers: readonly Taxpayer[] = [
  {
    ruc: '1792146739001',
    razon_social: 'EMISOR DE PRUEBA S.A.',
    nombre_comercial: 'Tienda de Prueba',
    estado: 'ACTIVO',
    tipo_contribuyente: 'SOCIEDAD',
    obligado_contabilidad: 'SI',
    actividad: 'VENTA AL POR MENOR POR INTERNET',
  },
  {
    ruc: '1790016919001',
    razon_social: 'PROVEEDOR DE PRUEBA S.A.',
    nombre_comercial: 'Proveedor de Prueba',
    estado: 'ACTIVO',
    tipo_contribuyente: 'SOCIEDAD',
    obligado_contabilidad: 'SI',
    actividad: 'DESARROLLO DE PROGRAMAS INFORMÁTICOS',
  },
  {
    ruc: '0990000000001',
    razon_social: 'CERRADA DE PRUEBA CÍA. LTDA.',
    nombre_comercial: 'Cerrada de Prueba',
    estado: 'SUSPENDIDO',
    tipo_contribuyente: 'SOCIEDAD',
    obligado_contabilidad: 'SI',
    actividad: 'RESTAURANTES',
  },
];

/** Made-up people by their cédula, as the civil registry writes them: family names first. */
export const people: Readonly<Record<string, string>> = {
  '2459999997': 'PEÑAFIEL ANDRADE MARÍA JOSÉ',
  '1710034065': 'QUISHPE TOAPANTA LUIS ALBERTO',
  '1713175071': 'BRAVO MENDOZA ANA LUCÍA',
};

/** What names and activities are drawn from for every other number. */
export const words = {
  familyNames: [
    ...['ANDRADE', 'BRAVO', 'CEDEÑO', 'CHÁVEZ', 'ESPINOZA', 'FREIRE', 'GUAMÁN', 'IZA', 'LOOR', 'MENDOZA'],
    ...['MOROCHO', 'NARVÁEZ', 'ORTEGA', 'PEÑAFIEL', 'QUISHPE', 'SALAZAR', 'TOAPANTA', 'VERA', 'YÁNEZ'],
  ],
  givenNames: [
    ...['ANA LUCÍA', 'CARLOS ANDRÉS', 'DIEGO FERNANDO', 'GABRIELA', 'JORGE LUIS', 'JOSÉ MIGUEL', 'KARLA'],
    ...['LUIS ALBERTO', 'MARÍA JOSÉ', 'NATHALY', 'PABLO ESTEBAN', 'ROSA ELENA', 'SANTIAGO', 'VERÓNICA'],
  ],
  trades: ['COMERCIAL', 'DISTRIBUIDORA', 'IMPORTADORA', 'SERVICIOS', 'INDUSTRIAS', 'AGRÍCOLA'],
  firms: ['ANDINA', 'DEL PACÍFICO', 'EL CÓNDOR', 'LOS CEIBOS', 'MITAD DEL MUNDO', 'SIERRA NUEVA', 'YASUNÍ'],
  forms: ['S.A.', 'CÍA. LTDA.', 'S.A.S.'],
  activities: [
    'VENTA AL POR MENOR DE PRENDAS DE VESTIR',
    'VENTA AL POR MENOR POR INTERNET',
    'ACTIVIDADES DE CONTABILIDAD',
    'TRANSPORTE DE CARGA POR CARRETERA',
    'RESTAURANTES',
    'CULTIVO DE FLORES',
  ],
} as const;
