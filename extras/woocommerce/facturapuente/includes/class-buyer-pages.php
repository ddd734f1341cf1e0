<?php
/**
 * What the buyer sees: links in the mails of the order and in My account.
 *
 * @package Facturapuente
 */

namespace Facturapuente;

defined( 'ABSPATH' ) || exit;

/**
 * The documents of his order, and the page on which he says whom the factura is to name.
 */
final class Buyer_Pages {

	/** Hooks. */
	public static function init() {
		add_action( 'woocommerce_email_after_order_table', array( __CLASS__, 'show_in_mail' ), 20, 4 );
		add_filter( 'woocommerce_my_account_my_orders_actions', array( __CLASS__, 'add_action' ), 10, 2 );
		add_action( 'woocommerce_order_details_after_order_table', array( __CLASS__, 'show_on_order' ) );
	}

	/**
	 * Mails of the order to the buyer. A customer note of facturapuente has the link in its text.
	 *
	 * @param \WC_Order $order         Order.
	 * @param bool      $sent_to_admin Whether it goes to the shop.
	 * @param bool      $plain_text    Whether it is plain text.
	 * @param mixed     $email         Mail.
	 */
	public static function show_in_mail( $order, $sent_to_admin = false, $plain_text = false, $email = null ) {
		if ( ! $order instanceof \WC_Order || $sent_to_admin || 'yes' !== Settings::get( 'mails' ) || ( is_object( $email ) && isset( $email->id ) && 'customer_note' === $email->id ) ) {
			return;
		}
		foreach ( self::links( $order ) as $link ) {
			if ( $plain_text ) {
				echo "\n" . esc_html( $link['text'] ) . ': ' . esc_url_raw( $link['url'] ) . "\n";
			} else {
				echo '<p style="margin:0 0 16px"><a href="' . esc_url( $link['url'] ) . '">' . esc_html( $link['text'] ) . '</a></p>';
			}
		}
	}

	/**
	 * A button in the list of orders; on the page of an order, which shows the same buttons, the links stand below.
	 *
	 * @param array     $actions Buttons.
	 * @param \WC_Order $order   Order.
	 * @return array
	 */
	public static function add_action( $actions, $order ) {
		$factura = Documents::factura( $order );
		if ( $factura && '' !== $factura['pdf'] && ! is_wc_endpoint_url( 'view-order' ) && ! is_order_received_page() ) {
			$actions['facturapuente'] = array(
				'url'        => $factura['pdf'],
				'name'       => __( 'Factura', 'facturapuente' ),
				/* translators: %s: number of the order */
				'aria-label' => sprintf( __( 'Factura of order %s', 'facturapuente' ), $order->get_order_number() ),
			);
		}
		return $actions;
	}

	/**
	 * Below the table of an order.
	 *
	 * @param \WC_Order $order Order.
	 */
	public static function show_on_order( $order ) {
		if ( ! $order instanceof \WC_Order ) {
			return;
		}
		$links = self::links( $order );
		if ( ! $links ) {
			return;
		}
		echo '<section class="facturapuente-documents"><h2>' . esc_html__( 'Electronic factura', 'facturapuente' ) . '</h2><ul>';
		foreach ( $links as $link ) {
			echo '<li><a href="' . esc_url( $link['url'] ) . '">' . esc_html( $link['text'] ) . '</a></li>';
		}
		echo '</ul></section>';
	}

	/**
	 * Every link of an order.
	 *
	 * @param \WC_Order $order Order.
	 * @return array[] Each with text and url.
	 */
	private static function links( $order ) {
		$links   = array();
		$factura = Documents::factura( $order );
		if ( $factura && '' !== $factura['pdf'] ) {
			/* translators: %s: number of the factura */
			$links[] = self::link_of( sprintf( __( 'Factura %s (PDF)', 'facturapuente' ), $factura['number'] ), $factura['pdf'] );
		}
		foreach ( Documents::credit_notes( $order ) as $note ) {
			if ( '' !== $note['pdf'] ) {
				/* translators: %s: number of the nota de crédito */
				$links[] = self::link_of( sprintf( __( 'Nota de crédito %s (PDF)', 'facturapuente' ), $note['number'] ), $note['pdf'] );
			}
		}
		$asking = Documents::buyer_link( $order );
		if ( '' !== $asking ) {
			$links[] = self::link_of( __( 'Write the cédula or RUC for the factura', 'facturapuente' ), $asking );
		}
		return $links;
	}

	/**
	 * One link.
	 *
	 * @param string $text Text.
	 * @param string $url  Address.
	 * @return array
	 */
	private static function link_of( $text, $url ) {
		return array(
			'text' => $text,
			'url'  => $url,
		);
	}
}
