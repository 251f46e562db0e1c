/** What is said of emails that were refused, and of whose fault it was. */
export default {
  SENDER_REFUSED:
    'Paused by itself: email servers refuse this campaign for a reason that lies with the sending, not with your readers. None of them is left out of your emails for it. See below what was said; once that is mended, go on sending.',
  READERS_REFUSED:
    'Paused by itself: of very many readers an email server says that their mailbox is not there. Most often a server is set up wrongly then, so none of them is counted for it. See below what was said. If you know that these addresses are old, go on sending: then they count.',
  ALL_REFUSED:
    'All of it was refused: nobody got this campaign. See below what was said; once that is mended, retry what failed.',
  sendAgain: 'Send Again',
  reader: 'The address does not work',
  sender: 'Lies with the sending',
  liftAll: 'Write Again to All ({{formatted}})',
  liftedMany_one: '{{formatted}} member gets emails again',
  liftedMany_other: '{{formatted}} members get emails again',
  suppressedText:
    'Their address did not work in three campaigns, or they complained. What was refused for a reason that lies with the sending does not count.',
};
