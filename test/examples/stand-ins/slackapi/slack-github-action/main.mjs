const { INPUT_WEBHOOK: webhook, INPUT_PAYLOAD: body, 'INPUT_WEBHOOK-TYPE': type } = process.env;
if (type !== 'incoming-webhook' || !webhook || !body) {
  console.log('::error::webhook, webhook-type: incoming-webhook and payload must be given');
  process.exit(1);
}
const { ok, status } = await fetch(webhook, { method: 'POST', body });
if (!ok) {
  console.log(`::error::the webhook answered ${status}`);
  process.exit(1);
}
