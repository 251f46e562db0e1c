/** Texts about confirming the reply-to address. */
export default {
  label: 'Reply-to address',
  help: 'Leave empty to use your own address.',
  waiting: 'Waiting for confirmation',
  asked:
    'We sent an email to {{email}} on {{when}}. Until the button in it is clicked, replies go to your own address.',
  unasked: 'No link has been sent to {{email}} yet. Until it’s confirmed, replies go to your own address.',
  again: 'Send Again',
  send: 'Send the Link',
  sent: 'Link sent to {{email}}',
  notSent: 'Couldn’t send the link',
};
