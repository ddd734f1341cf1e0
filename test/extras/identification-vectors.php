<?php
/** Prints what the plugin makes of each example of test/fixtures/identification-vectors.json, as JSON. */
define( 'FACTURAPUENTE_TEST', true );
require __DIR__ . '/../../extras/woocommerce/facturapuente/includes/class-identification.php';

$vectors = json_decode( file_get_contents( __DIR__ . '/../fixtures/identification-vectors.json' ), true );
$said    = array(
	'cedulaOrRuc' => array_map(
		function ( $vector ) {
			$found = Facturapuente\Identification::examine( $vector['written'] );
			return 'ruc' === $found['type'] ? $found + array( 'company' => Facturapuente\Identification::is_company( $found['value'] ) ) : $found;
		},
		$vectors['cedulaOrRuc']
	),
	'passport'    => array_map(
		function ( $vector ) {
			return Facturapuente\Identification::passport( $vector['written'] );
		},
		$vectors['passport']
	),
);
echo json_encode( $said );
