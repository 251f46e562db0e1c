import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { renderPiece } from '../../../../test/render';
import { NewPasswordField } from '../new-password-field';
import { createJudge, type Answer, type Question } from './judging';
import type { PasswordOwner } from './judging';

const answer = createJudge();
const silent = globalThis.Worker;
const made: WorkerInPage[] = [];

/** Does in the page what the worker does beside it. */
class WorkerInPage {
  ended = false;
  private tell: (event: { data: Answer }) => void = () => undefined;

  constructor() {
    made.push(this);
  }
  addEventListener(_type: string, listener: typeof this.tell) {
    this.tell = listener;
  }
  postMessage(question: Question) {
    queueMicrotask(() => this.tell({ data: answer(question) }));
  }
  terminate() {
    this.ended = true;
  }
}

beforeEach(() => {
  made.length = 0;
  globalThis.Worker = WorkerInPage as unknown as typeof Worker;
});
afterEach(() => {
  globalThis.Worker = silent;
});

const kadriye: PasswordOwner = {
  email: 'kadriye.mutlubas@ornek.example',
  firstName: 'Kadriye',
  lastName: 'Mutlubaş',
  username: 'kadriyem',
};

function Field({ owner = kadriye }: { owner?: PasswordOwner }) {
  const [value, setValue] = useState('');
  const field = {
    id: 'new',
    name: 'new',
    value,
    onChange: (event: { target: { value: string } }) => setValue(event.target.value),
  };
  return <NewPasswordField {...field} label="New password" owner={owner} />;
}

/** What is said of the password, to eyes and ears. */
const strength = () => document.querySelector<HTMLElement>('#new-note [role="status"]')!;

async function typed(password: string, language: 'en' | 'tr' = 'en') {
  const { user } = await renderPiece(<Field />, { language });
  await user.type(screen.getByLabelText('New password'), password);
  return strength();
}

describe('the strength of a new password', () => {
  it('asks for 8 characters first, and loads nothing before the field is used', async () => {
    const { user } = await renderPiece(<Field />);
    expect(strength()).toHaveTextContent('At least 8 characters.');
    expect(made).toHaveLength(0);
    await user.click(screen.getByLabelText('New password'));
    expect(made).toHaveLength(1);
    await user.type(screen.getByLabelText('New password'), 'Passw0r');
    expect(strength()).toHaveTextContent('At least 8 characters.');
  });

  it.each([
    ['password123', 'Easy to guess. It’s one of the first passwords that attackers try.'],
    ['Passw0rd!', 'Easy to guess. It’s very similar to a common password.'],
    ['12.05.1987', 'Easy to guess. Dates are easy to guess.'],
    ['aaaaaaaaaaaaaaaa', 'Easy to guess. Repeated characters add little strength.'],
    ['asdfghjkl;', 'Easy to guess. Keys next to each other are easy to guess.'],
    ['KadriyeMutlubaş', 'Easy to guess. It contains your name, your email address or the name of this service.'],
    ['kadriyem1987', 'Easy to guess. It contains your name, your email address or the name of this service.'],
    ['Zonary2026', 'Easy to guess. It contains your name, your email address or the name of this service.'],
  ])('says what makes %s weak, and what to do', async (password, sentence) => {
    const status = await typed(password);
    await waitFor(() => expect(status).toHaveTextContent(sentence));
    expect(status).toHaveTextContent('Use several words that aren’t related.');
  });

  it('praises one that will do', async () => {
    const status = await typed('three tall lanterns');
    await waitFor(() => expect(status).toHaveTextContent('Strong password.'));
    expect(status).not.toHaveTextContent('Use several words');
    expect(screen.getByLabelText('New password')).toHaveAccessibleDescription('Strong password.');
  });

  it('speaks Turkish, and knows what Turkish passwords are made of', async () => {
    const status = await typed('seniseviyorum1', 'tr');
    await waitFor(() => expect(status).toHaveTextContent('Kolay tahmin edilir.'));
  });

  it('gives back what judging takes when the form goes', async () => {
    const { user, unmount } = await renderPiece(<Field />);
    await user.click(screen.getByLabelText('New password'));
    unmount();
    expect(made.map(({ ended }) => ended)).toEqual([true]);
  });
});
