/** The confirmation of an address to which answers go. */
export default {
  label: 'Reply-to address',
  help: 'Empty: your own address.',
  waiting: 'Waiting for confirmation',
  asked:
    'We wrote to {{email}} on {{when}}. Until the button in that email is pressed, answers go to your own address.',
  unasked: 'No link has been sent to {{email}} yet. Until it is confirmed, answers go to your own address.',
  again: 'Send Again',
  send: 'Send the Link',
  sent: 'The link is on its way to {{email}}',
  notSent: 'The link could not be sent',
};
