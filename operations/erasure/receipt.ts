/** The check of a receipt, which needs no service: the doors reach it here. */
export { verifyReceipt, type ReceiptVerdict } from '../../engine/erasure/receipts.ts';
