// Plays sound that this page holds, one piece at a time: by Web Audio, as the policy of our pages lets a player read from
// addresses of the server only.
import { useCallback, useEffect, useRef, useState } from "react";

export function useSound() {
  const [playing, setPlaying] = useState(false);
  const context = useRef<AudioContext | null>(null);
  const source = useRef<AudioBufferSourceNode | null>(null);

  const stop = useCallback(() => {
    source.current?.stop();
    source.current = null;
    setPlaying(false);
  }, []);

  /** Plays a WAV or an MP3. Fails where this browser has no Web Audio or cannot read it. */
  const play = useCallback(
    async (bytes: ArrayBuffer) => {
      stop();
      context.current ??= new AudioContext();
      const clip = await context.current.decodeAudioData(bytes);
      await context.current.resume();
      const node = context.current.createBufferSource();
      node.buffer = clip;
      node.connect(context.current.destination);
      node.onended = () => {
        if (source.current === node) stop();
      };
      source.current = node;
      node.start();
      setPlaying(true);
    },
    [stop],
  );

  useEffect(
    () => () => {
      source.current?.stop();
      void context.current?.close();
    },
    [],
  );
  return { playing, play, stop };
}
