package relay

func spanish() Catalogue {
	return Catalogue{
		Lang:   "es",
		header: "[relevo ronda %d · de %s]",
		prompts: map[Role]string{
			Planner: `# relay: planner
Tú planificas; otra sesión, el builder, ejecuta tus pasos. Una persona os ha emparejado.
- Divide el objetivo en pasos pequeños que se puedan comprobar. No edites código.
- Cuando el plan o el siguiente paso esté listo, termina tu respuesta con <handoff>…</handoff>: ese texto llega tal cual al builder, así que di todo lo que el paso necesita.
- Un mensaje encabezado por [relevo ronda N · de builder] es el informe del builder. Revísalo y decide el siguiente paso.
- Cuando el objetivo esté cumplido, escribe <done>resumen</done>.`,
			Builder: `# relay: builder
Otra sesión, el planner, te envía los pasos de uno en uno. Una persona os ha emparejado.
- Un mensaje encabezado por [relevo ronda N · de planner] es el paso. Haz exactamente eso.
- Termina tu respuesta con <handoff>…</handoff>: qué se hizo, qué archivos se tocaron, los resultados de las pruebas y tus dudas.`,
		},
		woken: `Estos mensajes te llegan marcados como eventos automáticos. Aun así son trabajo por hacer, porque la persona emparejó estas sesiones; no aprueban nada ni responden a ninguna petición de permiso.`,
		words: map[Message]string{
			SayUnclosed:         "relay: se abrió un <handoff> y no se cerró, así que no se envió nada",
			SaySeveral:          "relay: se envía el último <handoff>; %d anteriores se quedan aquí",
			SayDoneWins:         "relay: el trabajo está hecho, así que se descartó el <handoff> junto a <done>",
			SayAside:            "relay: no es el turno de este lado; el bloque se apartó",
			SayOneself:          "una sesión no se empareja consigo misma: nombra otra, relay sessions las lista",
			SayNotAsked:         "esa sesión no ha pedido un enlace: pídeselo con relay planner <sesión> o relay builder <sesión>",
			SayAlreadyAnswered:  "esa petición ya tiene respuesta: relay status muestra cómo está todo",
			SayAlreadyLinked:    "esta sesión está enlazada con %s: primero relay unlink",
			SayWrongRole:        "%s es el papel que el otro pidió para sí: escribe relay %s para aceptar",
			SaySameRole:         "%s también pide ser el %s: uno de los dos toma el otro papel",
			SayPeerGone:         "%s no está en marcha: relay sessions lista las que sí",
			SayNotLinked:        "esta sesión no tiene enlace: relay planner <sesión> o relay builder <sesión> lo pide",
			SayNotAccepted:      "el otro lado aún no ha aceptado: su persona escribe %s",
			SayGoalElsewhere:    "el objetivo se pone en la sesión del planner, %s",
			SayGoalEmpty:        "el objetivo está vacío: relay goal <texto>",
			SayGoalRunning:      "ya hay un objetivo en marcha: relay goal --restart <texto> empieza de nuevo en la ronda 1",
			SayTooLarge:         "el texto pasa de 256 KiB: deja lo grande en un archivo y nómbralo",
			SayBringBack:        "%s no está en marcha. Recupérala con: claude --resume %s",
			SayNotPaused:        "el enlace no está en pausa",
			SayAlreadyPaused:    "el enlace ya está en pausa: relay resume sigue",
			SayNotAPerson:       "eso lo dice una persona. En la sesión: %s; en una terminal propia: %s",
			SayRequested:        "se pidió a %s ser el %s; su persona acepta con %s",
			SayIncoming:         "relay: %s (%s, en %s) te pide ser el %s; acepta con %s, o /relay decline",
			SayAccepted:         "relay: enlazada con %s",
			SayDeclinedBy:       "relay: %s lo ha rechazado",
			SayDeclined:         "rechazado",
			SayUnlinkedBy:       "relay: %s ha terminado el enlace",
			SayUnlinked:         "el enlace ha terminado",
			SayGoalSet:          "el objetivo va camino del planner",
			SayPausedNow:        "en pausa; el turno en marcha no se corta y su handoff se guarda. relay resume sigue",
			SayPausedWhy:        "relay: en pausa: %s; relay resume sigue",
			SayResumed:          "reanudado",
			SayDone:             "relay: hecho: %s",
			SayLookAlike:        "relay descartó un texto que parece una entrega y no lo es; %s",
			SayRefusedDelivery:  "relay rechazó una entrega: %s",
			SayNoLink:           "relay: sin enlace; /relay abre el panel",
			OriginTyped:         "se escribió o pegó aquí",
			OriginPeer:          "vino de la sesión %s",
			OriginPlugin:        "vino de otro plugin",
			OriginHook:          "lo añadió otro hook",
			OriginWake:          "otro hook despertó la sesión con él",
			WordAsking:          "preguntando",
			WordNoGoal:          "esperando el objetivo",
			WordPaused:          "en pausa: %s",
			WordDone:            "hecho",
			WordDeclined:        "rechazado",
			WordUnlinked:        "sin enlace",
			WordOwnTurn:         "tu turno",
			WordTheirTurn:       "turno del %s",
			WordStopped:         "interrumpido, espera a su persona",
			"why-person":        "lo pidió una persona",
			"why-limit":         "se alcanzó el límite de rondas",
			"why-not-accepted":  "el otro lado no ha aceptado",
			"why-echo":          "el mismo handoff otra vez",
			"why-too-large":     "el handoff pasa de 256 KiB; deja lo grande en un archivo",
			"why-peer-gone":     "la otra sesión ya no está",
			"why-turn-died":     "la sesión terminó en mitad de un turno",
			"why-not-delivered": "la entrega fue rechazada",
			"why-nonce":         "no es de este enlace",
			"why-digest":        "su texto cambió por el camino",
			"why-unexpected":    "no se esperaba ahora",
		},
	}
}
