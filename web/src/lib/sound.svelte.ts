// The sounds of a table, made when they are needed: nothing is loaded, and nothing sounds before somebody asks for it.
// None carries a meaning alone.

const KEPT = "croupier.sound";

/** What can be heard. */
export type Cue = "chip" | "card" | "turn" | "close" | "tick" | "player" | "banker" | "tie" | "win" | "lose" | "yours" | "refused";

/** A note: when it begins and how long it rings, in seconds; its height in hertz; how loud it is. */
interface Note {
  at: number;
  lasts: number;
  hertz: number;
  loud: number;
  shape?: OscillatorType;
}
/** A brush of noise through a filter: cloth, paper, clay. */
interface Brush {
  at: number;
  lasts: number;
  noise: number;
  loud: number;
}

const bell = (hertz: number, at = 0, loud = 0.12, lasts = 0.5): Note[] => [
  { at, lasts, hertz, loud },
  { at, lasts: lasts / 2, hertz: hertz * 2.76, loud: loud / 4 },
];
const CUES: Readonly<Record<Cue, readonly (Note | Brush)[]>> = {
  chip: [{ at: 0, lasts: 0.05, noise: 5_200, loud: 0.2 }, { at: 0.02, lasts: 0.06, hertz: 2_350, loud: 0.05, shape: "triangle" }],
  card: [{ at: 0, lasts: 0.14, noise: 2_600, loud: 0.09 }],
  turn: [{ at: 0, lasts: 0.05, noise: 3_400, loud: 0.12 }, { at: 0.05, lasts: 0.04, noise: 1_500, loud: 0.12 }],
  close: bell(660, 0, 0.1, 0.9),
  tick: [{ at: 0, lasts: 0.05, hertz: 1_200, loud: 0.05, shape: "triangle" }],
  player: [...bell(587, 0), ...bell(880, 0.12)],
  banker: [...bell(440, 0), ...bell(330, 0.12)],
  tie: [...bell(494, 0), ...bell(494, 0.14)],
  win: [...bell(523, 0), ...bell(659, 0.1), ...bell(784, 0.2), ...bell(1_047, 0.3, 0.12, 0.9)],
  lose: [{ at: 0, lasts: 0.24, noise: 900, loud: 0.09 }],
  yours: [...bell(698, 0, 0.1), ...bell(932, 0.16, 0.1)],
  refused: [{ at: 0, lasts: 0.12, hertz: 120, loud: 0.16, shape: "square" }],
};

/** What is felt in the hand too: in milliseconds, on and off by turns. */
const TOUCHES: Partial<Record<Cue, number[]>> = { close: [15], yours: [25, 60, 25], refused: [60], win: [20, 50, 20, 50, 60] };

let wanted = $state(localStorage.getItem(KEPT) === "on");
let context: AudioContext | undefined;
let hiss: AudioBuffer | undefined;

export const sound = {
  get isOn(): boolean {
    return wanted;
  },
  /** One switch for all of it. */
  toggle(): void {
    wanted = !wanted;
    localStorage.setItem(KEPT, wanted ? "on" : "off");
    if (wanted) sound.play("chip");
    else void context?.suspend();
  },
  play(cue: Cue): void {
    if (!wanted) return;
    const felt = TOUCHES[cue];
    if (felt !== undefined) sound.touch(felt);
    // A browser lets a page sound only after the first tap; until then it stays quiet.
    if (!(navigator.userActivation?.hasBeenActive ?? true)) return;
    context ??= new AudioContext();
    void context.resume();
    for (const part of CUES[cue]) start(context, part);
  },
  /** A short knock in the hand, on phones that can; with the same switch. */
  touch(milliseconds: number | number[] = 10): void {
    if (wanted && "vibrate" in navigator) navigator.vibrate(milliseconds);
  },
};

function start(context: AudioContext, part: Note | Brush): void {
  const from = context.currentTime + part.at;
  const gain = context.createGain();
  gain.gain.setValueAtTime(part.loud, from);
  gain.gain.exponentialRampToValueAtTime(0.0001, from + part.lasts);
  gain.connect(context.destination);
  if ("noise" in part) {
    const source = context.createBufferSource();
    source.buffer = hiss ??= noise(context);
    const filter = context.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.value = part.noise;
    source.connect(filter).connect(gain);
    source.start(from);
    source.stop(from + part.lasts);
  } else {
    const source = context.createOscillator();
    source.type = part.shape ?? "sine";
    source.frequency.value = part.hertz;
    source.connect(gain);
    source.start(from);
    source.stop(from + part.lasts);
  }
}

/** Half a second of noise, the same every time. */
function noise(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
  const samples = buffer.getChannelData(0);
  let seed = 1;
  for (let at = 0; at < samples.length; at += 1) {
    seed = (seed * 16_807) % 2_147_483_647;
    samples[at] = (seed / 2_147_483_647) * 2 - 1;
  }
  return buffer;
}
