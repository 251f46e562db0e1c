/** The first zone, made together with what it is made for. */
export default {
  text: 'You have no zone yet. A zone is where your files and your readers meet: this makes one.',
  name: 'Zone name',
  proposed: 'My First Zone',
  nameRequired: 'Please give the zone a name.',
  who: 'Who may come in',
  anybody: 'Anybody with the link',
  anybodyText: 'You get a link to share; whoever opens it can join.',
  invited: 'Only people whom I invite',
  invitedText: 'There is no link. You let each person in yourself.',
  later: 'Both can be changed later.',
  failed: 'The zone could not be created',
};
