/** Texts about rejected emails and the bounce cause. */
export default {
  SENDER_REFUSED:
    'Paused automatically: email servers are rejecting this campaign because of the sender, not because of your recipients. No recipient is excluded from your emails for this. The servers’ answers are listed below. Once the problem is fixed, resume sending.',
  READERS_REFUSED:
    'Paused automatically: an email server says that a large share of your recipients’ mailboxes don’t exist. Usually this means that a server is set up incorrectly, so none of these failures count against your recipients. The server’s answers are listed below. If you know that these addresses are old, resume sending: then they count.',
  ALL_REFUSED:
    'Every email was rejected, so nobody got this campaign. The servers’ answers are listed below. Once the problem is fixed, retry the failed emails.',
  sendAgain: 'Send Again',
  reader: 'The address doesn’t work',
  sender: 'Caused by the sender',
  liftAll: 'Email All Again ({{formatted}})',
  liftedMany_one: '{{formatted}} member gets emails again',
  liftedMany_other: '{{formatted}} members get emails again',
  suppressedText:
    'Emails to them bounced in three campaigns, or they reported one as spam. Emails that were rejected because of the sender don’t count.',
};
