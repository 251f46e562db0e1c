import { campaignStoppedEmail, type CampaignStoppedValues } from './campaign-stopped.email.js';

const render = (rejectedCount: number, bounceCause: CampaignStoppedValues['bounceCause']) => {
  const values = {
    campaignName: 'News',
    zoneName: 'Yoga',
    rejectedCount,
    reason: '550',
    bounceCause,
    isPaused: false,
    url: 'x',
  };
  return (['en', 'tr'] as const).map((language) => campaignStoppedEmail.contents[language](values).paragraphs[0]);
};

describe('Email about a stopped campaign', () => {
  it('uses singular and plural correctly', () => {
    expect(render(1, 'sender')[0]).toContain('rejected 1 email of');
    expect(render(2, 'sender')[0]).toContain('rejected 2 emails of');
  });

  it('mentions many missing mailboxes only when there are many', () => {
    for (const text of render(10, 'reader')) expect(text).not.toMatch(/many addresses|çok sayıda adres/);
    for (const text of render(11, 'reader')) expect(text).toMatch(/many addresses|çok sayıda adres/);
    expect(render(1, 'reader')[0]).toContain("reported that the mailbox doesn't exist");
    expect(render(1, null)[0]).toContain('without giving a reason');
  });
});
