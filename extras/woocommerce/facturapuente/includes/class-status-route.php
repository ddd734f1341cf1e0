<?php
/**
 * GET /wp-json/facturapuente/v1/status, for who has the keys of the shop: the version of this plugin and the shop's identity.
 *
 * @package Facturapuente
 */

namespace Facturapuente;

defined( 'ABSPATH' ) || exit;

/**
 * Reads only; WooCommerce's own keys open it.
 */
final class Status_Route {

	/** Hooks. */
	public static function init() {
		add_action( 'rest_api_init', array( __CLASS__, 'register' ) );
		add_filter( 'woocommerce_rest_is_request_to_rest_api', array( __CLASS__, 'use_shop_keys' ) );
	}

	/** The route. */
	public static function register() {
		register_rest_route(
			'facturapuente/v1',
			'/status',
			array(
				'methods'             => 'GET',
				'callback'            => array( __CLASS__, 'answer' ),
				'permission_callback' => array( __CLASS__, 'may_read' ),
			)
		);
	}

	/**
	 * Who manages the shop.
	 *
	 * @return bool
	 */
	public static function may_read() {
		return current_user_can( 'manage_woocommerce' );
	}

	/**
	 * WooCommerce checks its keys for its own routes; for this one, too.
	 *
	 * @param bool $is_ours Whether it checks them.
	 * @return bool
	 */
	public static function use_shop_keys( $is_ours ) {
		// phpcs:ignore WordPress.Security.ValidatedSanitizedInput.InputNotSanitized
		$uri = isset( $_SERVER['REQUEST_URI'] ) ? wp_unslash( $_SERVER['REQUEST_URI'] ) : '';
		return $is_ours || false !== strpos( $uri, trailingslashit( rest_get_url_prefix() ) . 'facturapuente/v1/' );
	}

	/**
	 * The answer.
	 *
	 * @return \WP_REST_Response
	 */
	public static function answer() {
		$store_id = get_option( 'woocommerce_store_id', null );
		return rest_ensure_response(
			array(
				'plugin'   => 'facturapuente',
				'version'  => VERSION,
				'store_id' => is_string( $store_id ) && '' !== $store_id ? $store_id : null,
				'fields'   => array(
					'asked'     => 'yes' === Settings::get( 'fields' ),
					'countries' => Settings::countries(),
					'required'  => Settings::get( 'required' ),
					'limit'     => number_format( Settings::limit(), 2, '.', '' ),
				),
			)
		);
	}
}
