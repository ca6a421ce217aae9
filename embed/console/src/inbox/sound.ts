// A tone when a customer writes: a choice of each browser, off at first.

const kept = 'svc.sound';
const sounded = 'svc.sounded';
/** ms: a burst of messages is one tone, in all tabs together. */
const rest = 1500;

export const soundIsOn = (): boolean => localStorage.getItem(kept) === 'on';

export function setSound(on: boolean): void {
  if (on) localStorage.setItem(kept, 'on');
  else localStorage.removeItem(kept);
}

/** Plays the tone, unless it is off or was heard a moment ago. A browser plays nothing before the first click on the page. */
export function sound(): void {
  if (!soundIsOn() || Date.now() - Number(localStorage.getItem(sounded)) < rest) return;
  localStorage.setItem(sounded, String(Date.now()));
  play();
}

/** Two short notes that fade out. */
export function play(): void {
  const audio = new AudioContext();
  const volume = audio.createGain();
  volume.connect(audio.destination);
  const begin = audio.currentTime;
  volume.gain.setValueAtTime(0.2, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.5);
  for (const [hertz, after] of [
    [660, 0],
    [880, 0.12],
  ] as const) {
    const note = audio.createOscillator();
    note.frequency.value = hertz;
    note.connect(volume);
    note.start(begin + after);
    note.stop(begin + 0.5);
    note.onended = () => void audio.close().catch(() => {}); // the second one finds it closed
  }
}
