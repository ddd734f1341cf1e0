<?php
/**
 * Deletes this plugin's options. What stands on orders stays: it is the record of documents of the tax authority.
 *
 * @package Facturapuente
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

foreach ( array( 'fields', 'countries', 'required', 'limit', 'digital', 'mails' ) as $facturapuente_name ) {
	delete_option( 'facturapuente_' . $facturapuente_name );
}
