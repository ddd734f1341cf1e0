<?php
/**
 * Plugin Name: facturapuente para WooCommerce
 * Description: Cédula, RUC o pasaporte en el pago y en la cuenta, y la factura electrónica del Ecuador en el pedido, la lista de pedidos, los correos y Mi cuenta.
 * Version: 1.0.0
 * Requires at least: 6.4
 * Requires PHP: 7.4
 * Requires Plugins: woocommerce
 * WC requires at least: 8.9
 * WC tested up to: 10.5
 * Author: facturapuente
 * License: GPL-2.0-or-later
 * License URI: https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain: facturapuente
 *
 * @package Facturapuente
 */

namespace Facturapuente;

defined( 'ABSPATH' ) || exit;

const VERSION     = '1.0.0';
const PLUGIN_FILE = __FILE__;

require_once __DIR__ . '/includes/class-identification.php';
require_once __DIR__ . '/includes/class-translations.php';
require_once __DIR__ . '/includes/class-settings.php';
require_once __DIR__ . '/includes/class-rules.php';
require_once __DIR__ . '/includes/class-order-identification.php';
require_once __DIR__ . '/includes/class-block-checkout.php';
require_once __DIR__ . '/includes/class-classic-checkout.php';
require_once __DIR__ . '/includes/class-documents.php';
require_once __DIR__ . '/includes/class-order-screen.php';
require_once __DIR__ . '/includes/class-order-list.php';
require_once __DIR__ . '/includes/class-buyer-pages.php';
require_once __DIR__ . '/includes/class-status-route.php';

add_action(
	'before_woocommerce_init',
	function () {
		if ( class_exists( \Automattic\WooCommerce\Utilities\FeaturesUtil::class ) ) {
			\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( 'custom_order_tables', PLUGIN_FILE, true );
			\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( 'cart_checkout_blocks', PLUGIN_FILE, true );
		}
	}
);

add_action(
	'plugins_loaded',
	function () {
		Translations::init();
		if ( ! class_exists( 'WooCommerce' ) ) {
			return;
		}
		Settings::init();
		Order_Identification::init();
		Block_Checkout::init();
		Classic_Checkout::init();
		Order_Screen::init();
		Order_List::init();
		Buyer_Pages::init();
		Status_Route::init();
	}
);
